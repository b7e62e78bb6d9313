"""Starts gemmviz, which this package holds as a program."""
import os
import sys


def run_program():
    """Replaces this process by the program, with the same arguments."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
    os.execv(os.path.join(folder, "gemmviz"), sys.argv)
