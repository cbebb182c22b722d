"""Warm kernels (see warm_kernels.py) are as fresh ones are, and one another's strangers."""

import json
import os
import subprocess
import sys

import pytest
from places import TESTS

WARM = TESTS / "tools" / "warm_kernels.py"
STATE = """
import json, os, signal, sys, threading, warnings
was_known = "treelab" in sys.modules
import matplotlib.pyplot as plt, numpy as np, pandas as pd, sklearn, treelab
plt.close(plt.figure())
warnings.simplefilter("ignore")
print(json.dumps({
    "warm": was_known, "left": "left" in vars(treelab), "drawn": np.random.rand(),
    "same": [
        {k: repr(v) for k, v in plt.rcParams.items()},
        {k: repr(pd.get_option(k)).casefold() for k in pd._config.config._registered_options},
        sorted(map(repr, warnings.filters)), np.geterr(), np.get_printoptions(),
        sklearn.get_config(), sorted(t.name for t in threading.enumerate()), sys.path, sys.flags,
        [repr(signal.getsignal(k)) for k in (2, 13, 15)], os.getcwd(), sys.stdout.encoding,
        {k: v for k, v in sorted(os.environ.items()) if k != "JPY_PARENT_PID"},
    ],
}, default=repr))
treelab.left = np.random.seed(0)
"""
# Three kernels at once: two warm ones, and a fresh one, for it has another setting. In the first a
# cell is interrupted; the second ends without a word to it.
THREE = f"""
import json, os, sys, time
from jupyter_client.manager import start_new_kernel

def run(client, code):
    said = []
    client.execute_interactive(code, output_hook=lambda m: said.append(m["content"]))
    return "".join(s.get("text", "") for s in said), [s.get("ename") for s in said][-2:-1]

states, pids, kernels = [], [], []
for setting in ("", "", "TREELAB_OTHER"):
    environ = {{**os.environ, setting or "OTHER": ""}}
    kernels.append(start_new_kernel(kernel_name="warm", env=environ, cwd=sys.argv[1]))
    states.append(json.loads(run(kernels[-1][1], {STATE!r})[0]))
    pids.append(int(run(kernels[-1][1], "import os; print(os.getpid())")[0]))
(first, client), (second, _), _ = kernels
# A kernel says that it has a cell before it runs it. Interrupted in between, it gives no answer.
loop = client.execute("print('inside', flush=True)\\nwhile True: pass")
while client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
    pass
first.interrupt_kernel()
interrupted = client.get_shell_msg(timeout=60)
while interrupted["parent_header"]["msg_id"] != loop:
    interrupted = client.get_shell_msg(timeout=60)
for kernel, client in kernels:
    client.stop_channels()
    kernel.shutdown_kernel(now=True)
def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
end = time.monotonic() + 60
while any(map(lives, pids)) and time.monotonic() < end:
    time.sleep(0.05)
print(json.dumps([states, interrupted["content"]["ename"], [*map(lives, pids)]]))
sys.exit(3)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not copied here")
def test_a_warm_kernel_is_as_a_fresh_one_and_ends_as_it_does(tmp_path):
    run = subprocess.run(
        [sys.executable, WARM, sys.executable, "-c", THREE, tmp_path],
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 3, run.stderr
    (one, other, fresh), interrupted, living = json.loads(run.stdout)
    assert [state["warm"] for state in (one, other, fresh)] == [True, True, False]
    assert not other["left"]
    assert one["drawn"] != other["drawn"]
    fresh["same"][-1]["OTHER"] = fresh["same"][-1].pop("TREELAB_OTHER")
    assert one["same"] == other["same"] == fresh["same"]
    assert interrupted == "KeyboardInterrupt"
    assert living == [False] * 3
