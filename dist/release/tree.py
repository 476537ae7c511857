"""A commit of this project in a folder of its own, with a version, and how Maven builds it there."""
import hashlib, os, re, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEVELOPMENT = "0.1.0-SNAPSHOT"
QUICK = ["-Dmaven.test.skip", "-Dspotless.check.skip"]


def say(text):
    print(text, file=sys.stderr, flush=True)


def export(commit, folder):
    """Lays out the files of a commit; what is not committed is not part of a release."""
    folder.mkdir(parents=True)
    archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
    if archive.wait():
        sys.exit(f"release: there is no commit {commit}")
    return folder


def set_version(folder, version):
    """Gives all POMs the version, since a registry refuses snapshots."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(-[A-Za-z0-9.]+)?", version) or version.endswith("SNAPSHOT"):
        sys.exit(f"release: \"{version}\" is no version such as 0.1.0 or 0.1.0-rc.1")
    for pom in folder.rglob("pom.xml"):
        pom.write_text(pom.read_text().replace(f"<version>{DEVELOPMENT}</version>", f"<version>{version}</version>"))


def options(words, usage):
    """Takes --only ARTIFACT,… off the command line, which makes a build of a few modules for a quick look."""
    words = list(words)
    only = None
    if "--only" in words:
        at = words.index("--only")
        if at + 1 == len(words):
            sys.exit(usage)
        only = words[at + 1].split(",")
        unknown = set(only) - set(published(ROOT))
        if unknown:
            sys.exit(f"release: --only {words[at + 1]}: not published: {', '.join(sorted(unknown))}")
        del words[at:at + 2]
    return words, only


def published(folder):
    """Returns the artifacts that users get, with their folders, in the order of the root POM."""
    modules = re.findall(r"<module>([^<]+)</module>", (folder / "pom.xml").read_text().split("<profiles>")[0])
    poms = {folder / one: (folder / one / "pom.xml").read_text() for one in modules}
    return {re.search(r"(?m)^  <artifactId>([^<]+)<", pom).group(1): home for home, pom in poms.items()
            if "<maven.deploy.skip>true" not in pom}


def maven(folder, only, *arguments, **environment):
    """Runs Maven for those modules, or for all that are published; offline if that can be done, since it is quicker, and with its registries otherwise."""
    command = ["-q", "-B", "-ntp", "-am", "-pl", ",".join([".", *(f":{one}" for one in only or published(folder))]), *QUICK, *arguments]
    env = {**os.environ, **environment}
    if subprocess.run(["mvn", "-o", *command], cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        if subprocess.run(["mvn", *command], cwd=folder, env=env, stdout=sys.stderr).returncode:
            sys.exit(f"release: the build in {folder} failed")


def files(folder):
    return {str(one.relative_to(folder)): one for one in sorted(folder.rglob("*")) if one.is_file()}


def digest(algorithm, file):
    return hashlib.new(algorithm, file.read_bytes()).hexdigest()
