#!/usr/bin/env python3
"""The least CPU time of one call in criterion's measurements, in nanoseconds: least.py FILE.json."""
import json
import sys

for report in json.load(open(sys.argv[1]))[2]:
    cpu, count = (report["reportKeys"].index(key) for key in ("cpuTime", "iters"))
    print(f"{min(row[cpu] / row[count] for row in report['reportMeasured']) * 1e9:15.1f}  {report['reportName']}")
