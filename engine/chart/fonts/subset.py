"""Makes gb2312.txt and the two subsets of Noto Sans CJK SC beside this file. See README.md."""

import pathlib
import unicodedata

from fontTools import subset, ttLib

HERE = pathlib.Path(__file__).parent
DEBIAN = pathlib.Path("/usr/share/fonts/opentype/noto")  # package fonts-noto-cjk
SC = 2  # the face "Noto Sans CJK SC" in the collection


def gb2312():
    """All characters of GB 2312-80, rows 1 to 87, and the ones that reports need beside them."""
    chars = set()
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            try:
                chars.add(bytes([row, cell]).decode("gb2312"))
            except UnicodeDecodeError:
                pass
    chars.update(map(chr, range(0x20, 0x7F)))  # ASCII
    chars.update(map(chr, range(0xA0, 0x100)))  # Latin-1
    chars.update("–—…‰′″₀₁₂₃₄₅₆₇₈₉⁰⁴⁵⁶⁷⁸⁹⁻∆−≤≥≠≈±×÷√∞∑∫←↑→↓↔⇒•■□▲△●○◆◇★☆✓✗")
    regular = ttLib.TTFont(DEBIAN / "NotoSansCJK-Regular.ttc", fontNumber=SC).getBestCmap()
    return sorted(c for c in chars if ord(c) in regular and unicodedata.category(c)[0] != "C")


def main():
    text = HERE / "gb2312.txt"
    chars = gb2312()
    lines = ["".join(chars[i : i + 64]) for i in range(0, len(chars), 64)]
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for weight in ("Regular", "Bold"):
        subset.main(
            [
                str(DEBIAN / f"NotoSansCJK-{weight}.ttc"),
                f"--font-number={SC}",
                f"--text-file={text}",
                "--layout-features=",
                "--no-hinting",
                "--desubroutinize",
                f"--output-file={HERE / f'NotoSansSC-GB2312-{weight}.otf'}",
            ]
        )


if __name__ == "__main__":
    main()
