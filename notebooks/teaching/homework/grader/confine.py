"""Limits that a process puts on itself, and on all that it starts, for good.

The limits of memory, time and files are those of POSIX (`setrlimit`). Where the kernel is a Linux
of 2021 or newer (5.13) there is also Landlock: of the whole disk, the process may write only to
the folders given, and read only what it needs to run. Since Linux 6.7 it may make no TCP
connection either, and since 6.12 it can send no signal to a process outside.

Vocabulary: ABI, the version of Landlock; access, a set of bits, one for each kind of use.
"""

import ctypes
import os
import resource
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every processor
PR_SET_NO_NEW_PRIVS = 38
READ = 0b1101  # execute, read a file, list a folder
LIST = 0b1000
FILE_ONLY = 0b1100000000000111  # the bits that a rule on a single file may have
NET_TCP = 0b11  # bind, connect
SCOPE = 0b11  # abstract sockets, signals


def abi():
    """The version of Landlock here; 0 where there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def everything(version):
    """The bits of all uses of files that this version can forbid."""
    return (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)) - 1


def protection():
    """What holds on this machine, in words.

    Returns
    -------
    str
    """
    version = abi()
    held = ["files outside the scratch folder"] if version >= 1 else []
    held += ["TCP connections"] if version >= 4 else []
    held += ["signals to other processes"] if version >= 6 else []
    if not held:
        return "limits of time and memory only; this system cannot shut off the rest of the disk"
    return "limits of time and memory; shut off: " + ", ".join(held)


def limit(memory, seconds, file_size):
    """Limit memory (bytes), processor time (seconds) and the size of each file (bytes).

    A limit that the system refuses is left as it is: the grader watches from outside as well.
    """
    for name, value in (
        ("RLIMIT_AS", memory),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_FSIZE", file_size),
        ("RLIMIT_CORE", 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError):
            continue


def shut_in(writable, readable, listable):
    """Allow this process no other files than these, by Landlock, where it is there.

    Parameters
    ----------
    writable, readable, listable : list of str
        Folders and files to use freely, to read, and folders whose names may be listed. Those
        that do not exist are left out.

    Raises
    ------
    OSError
        If Landlock is there and refuses.
    """
    version = abi()
    if not version:
        return
    files = everything(version)
    wanted = [files, NET_TCP if version >= 4 else 0, SCOPE if version >= 6 else 0]
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = call(CREATE_RULESET, struct.pack("=QQQ", *wanted)[:size], ctypes.c_size_t(size), 0)
    for paths, access in ((writable, files), (readable, READ), (listable, LIST)):
        for path in filter(os.path.exists, paths):
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            bits = access if os.path.isdir(path) else access & FILE_ONLY & files
            call(ADD_RULE, ruleset, 1, struct.pack("=Qi", bits, place), 0)
            os.close(place)
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def call(number, *arguments):
    """A system call; what it returns, or the error that it left."""
    library = ctypes.CDLL(None, use_errno=True)
    result = library.syscall(number, *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
