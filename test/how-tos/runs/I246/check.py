"""Calls the tests of the how-to, and reads the exports as a spreadsheet and as a program do."""
import csv
import io

from support.needs import needs

needs(openpyxl="3.1")

from openpyxl import load_workbook

from block_1 import test_cells_keep_their_type, test_formulas_become_text, to_csv, to_xlsx

test_cells_keep_their_type()
test_formulas_become_text()


def cells(rows):
    return list(csv.reader(io.StringIO(to_csv(rows).decode("utf-8-sig"), newline="")))


ordinary = ["Ann", "a,b", 'a "quote"', "two\nlines", "ü €", "a=b", "5-3"]
assert cells([ordinary, [-12.5, 3, None, True, 0]]) == [ordinary, ["-12.5", "3", "", "True", "0"]]
for hostile in [
    "=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "\n\n @x", "＝1", "＋1", "－1", "＠1",
    "\0=1", "   \t+1", '="a","b"',
]:
    assert cells([[hostile, "next"]]) == [["'" + hostile, "next"]], hostile
    assert to_csv([[hostile]]).decode("utf-8-sig")[0] == '"', "Every cell is quoted."
    sheet = load_workbook(io.BytesIO(to_xlsx([[hostile]]))).active
    assert sheet["A1"].data_type != "f", hostile
kept = load_workbook(io.BytesIO(to_xlsx([ordinary, [-12.5, 3]]))).active
assert [cell.value for cell in kept[1]] == ordinary and [kept["A2"].value, kept["B2"].value] == [-12.5, 3]
