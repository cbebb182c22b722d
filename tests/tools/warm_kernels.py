"""Run a command whose notebooks find their kernels warm.

    python tests/tools/warm_kernels.py COMMAND...

Most of what a short notebook takes is the start of its kernel, which imports the same packages each
time. Here one process imports them and does nothing else. For each kernel it makes a copy of
itself, which goes on as a fresh kernel does: with its own folder, environment, streams and random
numbers, and with nothing that another notebook has done. Jupyter knows this kernel as `warm`, and
starts `stand_in` for it, which asks for a copy. Whatever asks with other settings of Python or of
its packages has a kernel started as usual, and so has everything where processes are not copied.

A copy knows more modules than a fresh kernel. A cell that uses a module without importing it passes
here, and fails where `make test-all` runs the notebooks with kernels started as usual.
"""

import builtins
import json
import os
import signal
import socket
import sys

SOCKET = "TREELAB_WARM_KERNELS"
# Read when Python starts or when a package is imported, and so the same for all copies.
FIXED = ("PYTHON", "MPL", "OMP_", "OPENBLAS_", "NPY_", "GLIBC_", "LD_", "LC_", "LANG", "TREELAB_")
WARM = """
    IPython.core.completer IPython.core.pylabtools ipykernel.ipkernel ipykernel.zmqshell
    matplotlib.pyplot matplotlib.backends.backend_agg matplotlib.backends.backend_svg
    numpy pandas pandas.io.formats.style scipy.stats scipy.special
    sklearn.compose sklearn.datasets sklearn.ensemble sklearn.feature_selection sklearn.inspection
    sklearn.linear_model sklearn.metrics sklearn.model_selection sklearn.neighbors sklearn.pipeline
    sklearn.preprocessing sklearn.tree
    treelab.fast.bagging treelab.fast.boosting treelab.fast.c45 treelab.checkers treelab.datasets
    treelab.drawing treelab.fast.importance treelab.fast.pruning treelab.fast.selection
    treelab.figures treelab.cart
""".split()


def fixed(environ):
    """Return the settings that a copy cannot change any more."""
    return sorted(pair for pair in environ.items() if pair[0].startswith(FIXED))


def stand_in(connection_file):
    """Be what Jupyter has started: ask for a copy and pass on signals, or become a usual kernel."""
    asked = [sys.executable, fixed(os.environ), connection_file, os.getcwd(), dict(os.environ)]
    message = json.dumps(asked).encode()
    kernel = 0
    try:
        line = socket.socket(socket.AF_UNIX)
        line.connect(os.environ[SOCKET])
        socket.send_fds(line, [len(message).to_bytes(8, "big")], [0, 1, 2])
        line.sendall(message)
        kernel = int.from_bytes(line.recv(8), "big")
    except (AttributeError, KeyError, OSError):
        pass
    if not kernel:
        os.execv(
            sys.executable, [sys.executable, "-m", "ipykernel_launcher", "-f", connection_file]
        )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os.kill(kernel, number))
    line.recv(1)  # comes when the kernel has ended


def received(line):
    """Return what `stand_in` asks for, and its streams."""
    head, streams, _, _ = socket.recv_fds(line, 8, 3)
    message = b""
    while len(message) < int.from_bytes(head, "big"):
        message += line.recv(1 << 16)
    return json.loads(message), streams


def become_kernel(connection_file, folder, environ, streams):
    """Go on as a kernel, from where a new process of Python would have come by now."""
    import numpy as np
    from ipykernel.kernelapp import IPKernelApp

    parent = os.getppid()
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    np.random.seed()  # noqa: NPY002
    sys.argv = ["ipykernel_launcher", "-f", connection_file]
    IPKernelApp.launch_instance(sys.argv[1:], parent_handle=parent)


def import_as_a_kernel_does():
    """Import the packages, which ask whether a kernel does; return what they set for others."""
    import importlib
    from types import SimpleNamespace

    outside = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", **os.environ}
    os.environ.update(outside)
    builtins.get_ipython = lambda: SimpleNamespace(kernel=True)
    for name in WARM:
        importlib.import_module(name)
    del builtins.get_ipython
    return {name: value for name, value in os.environ.items() if name not in outside}


def serve(listener, command):
    """Make copies while the command runs, and return what it returns; a copy ends as a kernel."""
    import gc
    import selectors

    own = [sys.executable, [list(pair) for pair in fixed(os.environ)]]
    more = import_as_a_kernel_does()
    gc.freeze()  # what is there is never looked at again, here and in copies, and so not copied
    lines = {}  # from a kernel's process to the line on which it was asked for
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while command.poll() is None:
        for key, _ in selector.select(0.05):
            if key.data:  # who asked has been ended
                os.killpg(key.data, signal.SIGKILL)
                selector.unregister(key.fileobj)
                continue
            line, _ = listener.accept()
            (*python, file, folder, environ), streams = received(line)
            kernel = os.fork() if python == own else 0
            if python == own and not kernel:
                selector.close()
                for other in (listener, line, *lines.values()):
                    other.close()
                become_kernel(file, folder, {**more, **environ}, streams)
                sys.exit()
            line.sendall(kernel.to_bytes(8, "big"))
            for stream in streams:
                os.close(stream)
            if kernel:
                lines[kernel] = line
                selector.register(line, selectors.EVENT_READ, kernel)
            else:
                line.close()
        for kernel in [k for k in lines if os.waitpid(k, os.WNOHANG)[0]]:
            if lines[kernel].fileno() in selector.get_map():
                selector.unregister(lines[kernel])
            lines.pop(kernel).close()
    return command.returncode


def main(command):
    """Run the command, with warm kernels if this machine can copy processes."""
    import subprocess
    import tempfile
    from pathlib import Path

    can_copy = hasattr(os, "fork") and hasattr(socket, "send_fds")
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "kernels", "warm", "kernel.json")
        spec.parent.mkdir(parents=True)
        argv = [sys.executable, "-I", "-S", str(Path(__file__).resolve()), "{connection_file}"]
        text = json.dumps({"argv": argv, "display_name": "Warm", "language": "python"})
        spec.write_text(text, encoding="utf-8")
        os.environ.update({"JUPYTER_PATH": folder, SOCKET: str(Path(folder, "socket"))})
        if not can_copy:
            return subprocess.run(command).returncode
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.environ[SOCKET])
            listener.listen()
            process = subprocess.Popen(command)
            signal.signal(signal.SIGINT, lambda *_: None)  # the command ends, and this after it
            return serve(listener, process)


if __name__ == "__main__":
    if sys.flags.isolated:
        stand_in(sys.argv[1])
    else:
        del sys.path[0]
        sys.exit(main(sys.argv[1:]))
