"""Starts gemmviz as `python -m gemmviz`."""
from gemmviz import run_program

run_program()
