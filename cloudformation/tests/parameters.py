"""rollup_aws/parameters.json: the sections of rollup-pipeline.yaml that rollup-aws checks values by.

Run as a script it writes the file; test_rollup_aws.py compares the two.
"""

import json

from conftest import FOLDER, load

FILE = FOLDER / "rollup_aws" / "parameters.json"


def text() -> str:
    template = load("rollup-pipeline.yaml")
    return json.dumps({name: template[name] for name in ("Parameters", "Rules")}, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
