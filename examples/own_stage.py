#!/usr/bin/env python3
"""A stage of its own: adds a comment before each assignment that divides.

Reads an XAIF document from standard input and writes it to standard output: f2xaif a.f90 | own_stage.py | xaif2f
"""

import sys
import xml.etree.ElementTree as ET

XAIF = "http://www.mcs.anl.gov/XAIF"
OX = "https://oxad.dev/xaif/2"


def divides(assignment):
    """Whether the right-hand side has a division of numbers."""
    operations = assignment.iter(f"{{{XAIF}}}Intrinsic")
    return any(operation.get("name") == "div_scal_scal" for operation in operations)


def add_comments(procedure):
    """Adds the comments. A statement has an id of its own in its procedure."""
    ids = [int(element.get("statement_id")) for element in procedure.iter() if element.get("statement_id")]
    free = max(ids, default=0) + 1
    for block in procedure.iter(f"{{{XAIF}}}BasicBlock"):
        for statement in list(block):
            if statement.tag == f"{{{XAIF}}}Assignment" and divides(statement):
                comment = ET.Element(f"{{{OX}}}Comment", statement_id=str(free), text=" This divides.")
                block.insert(list(block).index(statement), comment)
                free += 1


def main():
    ET.register_namespace("xaif", XAIF)
    ET.register_namespace("ox", OX)
    document = ET.parse(sys.stdin.buffer)
    for procedure in document.getroot().iter(f"{{{XAIF}}}ControlFlowGraph"):
        add_comments(procedure)
    document.write(sys.stdout.buffer, encoding="UTF-8", xml_declaration=True)


if __name__ == "__main__":
    main()
