"""Creates a registry of the published modules, and runs Maven as a user of only that registry."""
import os, shutil, subprocess, sys, xml.etree.ElementTree as Xml
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
POM = "{http://maven.apache.org/POM/4.0.0}"
SETTINGS = """<settings>
  <localRepository>{place}/repository</localRepository>
  <profiles><profile>
    <id>files</id>
    <repositories>
      <repository><id>ours</id><url>file://{place}/registry</url></repository>
      <repository><id>cache</id><url>file://{cache}</url></repository>
    </repositories>
    <pluginRepositories>
      <pluginRepository><id>ours</id><url>file://{place}/registry</url></pluginRepository>
      <pluginRepository><id>cache</id><url>file://{cache}</url></pluginRepository>
    </pluginRepositories>
  </profile></profiles>
  <activeProfiles><activeProfile>files</activeProfile></activeProfiles>
</settings>
"""


def fail(text):
    sys.exit(f"{Path(sys.argv[0]).resolve().relative_to(ROOT)}: {text}")


def lay_out(place):
    """Copies POMs and jars of all published modules into the registry; returns their version, and the packaging of each artifact."""
    registry = place / "registry"
    root = Xml.parse(ROOT / "pom.xml")
    version = root.findtext(POM + "version")
    packaging = {}
    for module in [".", *(one.text for one in root.findall(f"{POM}modules/{POM}module"))]:
        folder = ROOT / module
        if "<maven.deploy.skip>true" in (folder / "pom.xml").read_text():
            continue
        pom = Xml.parse(folder / "pom.xml")
        artifact = pom.findtext(POM + "artifactId")
        packaging[artifact] = pom.findtext(POM + "packaging", "jar")
        home = registry / "dev" / "percolate" / artifact / version
        home.mkdir(parents=True)
        shutil.copy(folder / "pom.xml", home / f"{artifact}-{version}.pom")
        if packaging[artifact] != "pom":
            jar = folder / "target" / f"{artifact}-{version}.jar"
            if not jar.exists():
                fail(f"{jar.relative_to(ROOT)} is missing; run mvn package")
            shutil.copy(jar, home)
    (place / "home").mkdir()
    (place / "settings.xml").write_text(SETTINGS.format(place=place, cache=Path.home() / ".m2" / "repository"))
    return version, packaging


def start_maven(place, folder, *arguments, env={}, **options):
    """Starts Maven with a separate home and repository. Other libraries come from the user's repository, if available, as from a cache."""
    env = {**os.environ, "HOME": str(place / "home"), **env}
    command = ["mvn", "-q", "-B", "-ntp", "-s", str(place / "settings.xml"), f"-Duser.home={place}/home", *arguments]
    return subprocess.Popen(command, cwd=folder, env=env, **options)


def maven(place, folder, *arguments):
    """Runs Maven until its end."""
    if start_maven(place, folder, *arguments).wait():
        fail(f"{' '.join(arguments)} failed")
