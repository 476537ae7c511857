"""Exports a commit of this project to a separate folder, sets its version, and builds it there with Maven."""
import hashlib, os, re, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEVELOPMENT = "0.1.0-SNAPSHOT"
QUICK = ["-Dmaven.test.skip", "-Dspotless.check.skip"]


def say(text):
    print(text, file=sys.stderr, flush=True)


def export(commit, folder):
    """Exports the files of a commit: a release has no uncommitted files."""
    folder.mkdir(parents=True)
    archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
    if archive.wait():
        sys.exit(f"release: unknown commit {commit}")
    return folder


def set_version(folder, version):
    """Sets the version of all POMs, because a registry rejects snapshots."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(-[A-Za-z0-9.]+)?", version) or version.endswith("SNAPSHOT"):
        sys.exit(f"release: invalid version \"{version}\"; valid examples are 0.1.0 and 0.1.0-rc.1")
    for pom in folder.rglob("pom.xml"):
        pom.write_text(pom.read_text().replace(f"<version>{DEVELOPMENT}</version>", f"<version>{version}</version>"))


def options(words, usage):
    """Removes --only ARTIFACT,… from the command line, which builds a few modules for a quick test."""
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
    """Returns the published artifacts with their folders, in the order of the root POM."""
    modules = re.findall(r"<module>([^<]+)</module>", (folder / "pom.xml").read_text().split("<profiles>")[0])
    poms = {folder / one: (folder / one / "pom.xml").read_text() for one in modules}
    return {re.search(r"(?m)^  <artifactId>([^<]+)<", pom).group(1): home for home, pom in poms.items()
            if "<maven.deploy.skip>true" not in pom}


def maven(folder, only, *arguments, **environment):
    """Runs Maven for the modules `only`, or for all published ones. First tries offline, which is faster, then with the registries."""
    modules = [*only, "percolate-bom"] if only else published(folder)  # the root POM imports the BOM
    command = ["-q", "-B", "-ntp", "-T", "2", "-am", "-pl", ",".join([".", *(f":{one}" for one in modules)]), *QUICK, *arguments]
    env = {**os.environ, **environment}
    if subprocess.run(["mvn", "-o", *command], cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        if subprocess.run(["mvn", *command], cwd=folder, env=env, stdout=sys.stderr).returncode:
            sys.exit(f"release: the build in {folder} failed")


def files(folder):
    return {str(one.relative_to(folder)): one for one in sorted(folder.rglob("*")) if one.is_file()}


def digest(algorithm, file):
    return hashlib.new(algorithm, file.read_bytes()).hexdigest()
