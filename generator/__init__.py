"""Runcite: a static site generator for evaluation reports in which every number cites its runs."""

__version__ = "0.1.0"
