"""The AWS CLI for tests that call it many times: one process loads it, and a fork answers each call.

Started as a script with a path it serves a socket there. The program `aws` that command() writes hands
over its arguments, its environment and its open files, so that a call is the AWS CLI's own code in a
process of its own, without the half second that loading it takes.
"""

import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path

SERVICES = "cloudformation ec2 emr emr-serverless iam kafka kms s3 secretsmanager sns stepfunctions sts"

CLIENT = """#!{python} -IS
import json, os, socket, sys

answer = os.path.join({answers!r}, "-".join(sys.argv[1:3]))
if os.path.exists(answer):
    with open(answer) as file:
        answer = json.load(file)
    sys.stdout.write(answer["stdout"])
    sys.stderr.write(answer["stderr"])
    sys.exit(answer["code"])
call = {{"arguments": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd()}}
call = json.dumps(call).encode()
connection = socket.socket(socket.AF_UNIX)
connection.connect({path!r})
socket.send_fds(connection, [len(call).to_bytes(4, "big")], [0, 1, 2])
connection.sendall(call)
answer = connection.recv(1)
sys.exit(answer[0] if answer else 99)
"""


def command(program: Path, path: Path, answers: Path) -> None:
    """Writes the program that calls the server at the path.

    A file SERVICE-OPERATION in the folder of answers, with code, stdout and stderr, replaces that call.
    """
    program.write_text(CLIENT.format(python=sys.executable, path=str(path), answers=str(answers)))
    program.chmod(0o755)


def serve(path: str) -> None:
    """Serves until it is killed."""
    from awscli import clidriver  # noqa: PLC0415, I001  first, because it brings its own botocore
    import botocore.loaders  # noqa: PLC0415
    import botocore.session  # noqa: PLC0415

    kept: dict = {}
    load = botocore.loaders.Loader.load_service_model

    def keep(self, service_name, type_name, api_version=None):
        key = (service_name, type_name, api_version)
        if key not in kept:
            kept[key] = load(self, service_name, type_name, api_version)
        return kept[key]

    botocore.loaders.Loader.load_service_model = keep
    session = botocore.session.get_session()
    for service in SERVICES.split():
        session.create_client(
            service,
            region_name="eu-west-1",
            aws_access_key_id="a",
            aws_secret_access_key="b",  # noqa: S106
        )
    clidriver.create_clidriver()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(16)
        while True:
            connection, _ = listener.accept()
            if os.fork() == 0:
                code = 99
                try:
                    code = _answer(connection, clidriver)
                except BaseException:
                    traceback.print_exc()
                connection.sendall(bytes([code & 255]))
                os._exit(0)
            connection.close()


def _answer(connection: socket.socket, clidriver) -> int:
    size, files, _, _ = socket.recv_fds(connection, 4, 3)
    text = b""
    while len(text) < int.from_bytes(size, "big"):
        text += connection.recv(65536)
    call = json.loads(text)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, file in enumerate(files):
        os.dup2(file, number)
    data = os.environ["AWS_DATA_PATH"]  # the AWS CLI sets it when it is loaded
    os.environ.clear()
    os.environ.update({**call["environment"], "AWS_DATA_PATH": data})
    os.chdir(call["folder"])
    sys.argv = ["aws", *call["arguments"]]
    if call["arguments"][:1] == ["emr"]:
        # Of this service alone the AWS CLI ignores AWS_ENDPOINT_URL.
        sys.argv += ["--endpoint-url", call["environment"]["AWS_ENDPOINT_URL"]]
    try:
        return clidriver.main()
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    serve(sys.argv[1])
