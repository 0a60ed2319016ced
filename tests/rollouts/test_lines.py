"""Records out of lines: what a file may look like and what must never stop or slow a reader."""

from __future__ import annotations

import io
import json
import time
from typing import Any

import pytest
from typing_extensions import Buffer

from slowwave.rollouts.lines import Records


def read(data: bytes, **options: Any) -> tuple[list[dict[str, Any]], Records]:
    records = Records(io.BytesIO(data), **options)
    return list(records), records


def test_lines_end_at_newline_only_not_at_unicode_line_ends() -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf"
    found, records = read(json.dumps({"t": text}, ensure_ascii=False).encode() + b"\n" + b'{"t":2}\n')
    assert found == [{"t": text}, {"t": 2}]
    assert records.damaged == 0


def test_byte_order_mark_and_carriage_returns_are_tolerated() -> None:
    found, records = read(b'\xef\xbb\xbf{"a":1}\r\n{"a":2}\r\n\r\n')
    assert found == [{"a": 1}, {"a": 2}]
    assert (records.damaged, records.unterminated) == (0, False)


def test_damaged_lines_are_counted_and_passed_over() -> None:
    found, records = read(b'{"a":1}\n{"a":\nnot json\n[1,2]\n17\n{"a":2}\n')
    assert found == [{"a": 1}, {"a": 2}]
    assert records.damaged == 4


def test_an_unterminated_last_line_is_a_live_write_not_damage() -> None:
    found, records = read(b'{"a":1}\n{"a":2,"b":"hal')
    assert found == [{"a": 1}]
    assert (records.damaged, records.unterminated) == (0, True)


def test_a_whole_last_line_without_newline_counts() -> None:
    found, records = read(b'{"a":1}\n{"a":2}')
    assert found == [{"a": 1}, {"a": 2}]
    assert (records.damaged, records.unterminated) == (0, False)


def test_glued_whole_records_are_taken_apart() -> None:
    found, records = read(b'{"type":"a","n":1}{"type":"b","n":2} {"type":"c"}\n')
    assert [record["type"] for record in found] == ["a", "b", "c"]
    assert records.damaged == 0


def test_a_half_record_before_a_whole_one_costs_only_itself() -> None:
    half = b'{"timestamp":"x","type":"user","payload":{"content":[{"type":"text","text":"abc"}'
    whole = b'{"timestamp":"y","type":"user","payload":{"content":[{"type":"text","text":"def"}]}}'
    found, records = read(half + whole + b"\n")
    assert found == [json.loads(whole)]
    assert records.damaged == 1


def test_lone_surrogates_become_replacement_characters_also_in_keys() -> None:
    found, _ = read(b'{"a":"x\\udcb2y","\\ud83d":["\\udc00"]}\n')
    assert found == [{"a": "x\ufffdy", "\ufffd": ["\ufffd"]}]
    json.dumps(found, ensure_ascii=False).encode("utf-8")


def test_a_surrogate_pair_stays_one_character() -> None:
    found, _ = read(b'{"a":"\\ud83d\\ude00","b":"\\ud83d"}\n')
    assert found[0]["a"] == "\U0001f600"


def test_invalid_utf8_keeps_the_record() -> None:
    found, records = read(b'{"a":"x\xff\xfey"}\n')
    assert found == [{"a": "x\ufffd\ufffdy"}]
    assert records.damaged == 0


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "123456789012345678901234567890"])
def test_numbers_that_the_strict_parser_refuses(number: str) -> None:
    found, _ = read(f'{{"type":"x","n":{number}}}\n'.encode())
    assert found[0]["type"] == "x"


def test_deep_nesting_is_damage_not_a_crash() -> None:
    found, records = read(b'{"a":' + b"[" * 200_000 + b"\n" + b'{"a":1}\n')
    assert found == [{"a": 1}]
    assert records.damaged == 1


def test_a_line_of_twenty_megabytes_is_read_whole() -> None:
    text = "x" * 20_000_000
    found, records = read(b'{"a":1}\n{"t":"' + text.encode() + b'"}\n{"a":2}\n')
    assert [len(record.get("t", "")) for record in found] == [0, 20_000_000, 0]
    assert records.oversized == 0


def test_a_line_above_the_cap_is_skipped_and_counted_without_being_held() -> None:
    class Endless(io.RawIOBase):
        """A first record, then one line of 300 MB that is never held by the test either, then a last record."""

        def __init__(self) -> None:
            self.blocks = [b'{"a":1}\n{"t":"', *[b"x" * (1 << 20)] * 300, b'"}\n{"a":2}\n']
            self.rest = b""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Buffer, /) -> int:
            if not self.rest:
                self.rest = self.blocks.pop(0) if self.blocks else b""
            view = memoryview(buffer)
            block, self.rest = self.rest[: len(view)], self.rest[len(view) :]
            view[: len(block)] = block
            return len(block)

    records = Records(io.BufferedReader(Endless(), 1 << 16))
    assert list(records) == [{"a": 1}, {"a": 2}]
    assert records.oversized == 1


@pytest.mark.parametrize("cap", [10, 11, 30])
def test_the_cap_counts_bytes_of_a_line(cap: int) -> None:
    found, records = read(b'{"a":"12"}\n{"a":"123"}\n', max_line=cap)
    assert (len(found), records.oversized) == ((2, 0) if cap > 10 else (1, 1))


def test_no_more_than_the_limit_is_read() -> None:
    data = b'{"a":1}\n{"a":2}\n{"a":3}\n'
    found, records = read(data, limit=16)
    assert found == [{"a": 1}, {"a": 2}]
    found, records = read(data, limit=12)
    assert found == [{"a": 1}]
    assert records.unterminated


def test_offsets_lead_back_to_each_line() -> None:
    data = b'\n{"a":1}\n\n{"a":22}\n{"a":3}'
    records = Records(io.BytesIO(data))
    spans = [(record["a"], data[records.offset : records.offset + records.length]) for record in records]
    assert spans == [(1, b'{"a":1}\n'), (22, b'{"a":22}\n'), (3, b'{"a":3}')]


def test_lines_across_block_borders_are_put_together() -> None:
    rows = [{"n": number, "t": "y" * (number * 977 % 90_000)} for number in range(60)]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    assert len(data) > 5 * (1 << 18)
    found, records = read(data)
    assert found == rows
    assert records.damaged == 0


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n\r\n", b"\xef\xbb\xbf", b"\0\0\0", b"\x89PNG\r\n\x1a\n\0\0"])
def test_nothing_to_read(data: bytes) -> None:
    found, _ = read(data)
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        b'{"a":' * 100_000,
        b'{"a":[' + b'{"b":1},' * 300_000,
        b'{"a":"' + b'\\"' * 500_000,
        b'{"a":1' + b'{"b":{"c":' * 100_000,
    ],
    ids=["deep", "many starts", "quotes", "deep starts"],
)
def test_a_hostile_damaged_line_costs_no_more_than_its_length(line: bytes) -> None:
    started = time.process_time()
    found, records = read(line + b"\n" + b'{"a":1}\n')
    assert time.process_time() - started < 5
    assert found[-1] == {"a": 1} and records.damaged == 1
