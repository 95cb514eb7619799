"""Runs the check on the published pipeline, and on copies with one fault each."""
import subprocess
import sys
from pathlib import Path

try:
    import yaml  # noqa: F401
except ImportError:
    print("needs python3-yaml", file=sys.stderr)
    sys.exit(77)

PIPELINE = Path("bitbucket-pipelines.yml")
published = PIPELINE.read_text(encoding="utf-8")
NODE = next(line for line in published.splitlines() if line.startswith("image:"))
ECHO = '- echo "Tested branch" "$BITBUCKET_BRANCH"'


def result(text):
    PIPELINE.write_text(text, encoding="utf-8")
    run = subprocess.run([sys.executable, "check_pins.py"], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def changed(old, new):
    assert old in published, old
    return published.replace(old, new)


assert result(published) == (0, "All images are pinned, and no value of an author is run.\n"), result(published)
braces = changed(ECHO, '- echo "${BITBUCKET_BRANCH}" && ./report.sh "$BITBUCKET_TAG"')
assert result(braces)[0] == 0, result(braces)

FAULTS = {
    "is not a digest": [
        changed(NODE, "image: node:24"),
        changed(NODE, NODE.replace("registry.example.com", "docker.io")),
        changed(NODE, NODE[:-1]),
        changed(NODE, "image:\n  name: registry.example.com/build/node:24"),
    ],
    "is a pipe": [changed(ECHO, "- pipe: atlassian/aws-s3-deploy:1.1.0"), changed(ECHO, "- pipe: docker://a/b:1")],
    "there is no image": [changed(NODE + "\n", "")],
    "another repository": [changed("      - step: *pins\n", "      - import: shared:main:build\n")],
    "outside double quotes, or is run": [
        changed(ECHO, "- echo Tested $BITBUCKET_BRANCH"),
        changed(ECHO, "- ./report.sh ${BITBUCKET_TAG}"),
        changed(ECHO, '- eval "$BITBUCKET_BRANCH"'),
        changed(ECHO, '- bash -c "echo $BITBUCKET_BRANCH"'),
        changed(ECHO, '- sh -ec "$BITBUCKET_BRANCH"'),
        changed(ECHO, "- echo 'x' > \"$BITBUCKET_TAG\" && rm $BITBUCKET_TAG"),
    ],
}
for message, texts in FAULTS.items():
    for text in texts:
        code, output = result(text)
        assert code == 1 and message in output, (message, code, output, text)
