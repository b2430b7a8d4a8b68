"""Reads mails with the strict policy of Python's email package, which knows the RFCs: prints the faults of each.

The file has each mail's bytes in base64.
"""

import base64
import email
import email.policy
import json
import sys

strict = email.policy.SMTP.clone(raise_on_defect=True)
once = ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"]
longest_line = 998


def faults_of_lines(raw):
    lines = raw.split(b"\r\n")
    if any(b"\r" in line or b"\n" in line for line in lines):
        yield "a line does not end with CRLF"
    if any(len(line) > longest_line for line in lines):
        yield f"a line has more than {longest_line} bytes"
    if not raw.isascii():
        yield "a byte is not ASCII"


def faults_of_headers(message):
    for name in once:
        count = len(message.get_all(name, []))
        if count != 1:
            yield f"{name} is there {count} times"
    for name, value in message.items():
        if value.defects:
            yield f"{name}: {value.defects}"
    if message["Date"].datetime is None:
        yield "Date has no time"
    for name in ["From", "To"]:
        if len(message[name].addresses) != 1:
            yield f"{name} has {len(message[name].addresses)} addresses"
    unsubscribe = message.get_all("List-Unsubscribe", [])
    post = message.get_all("List-Unsubscribe-Post", [])
    if unsubscribe and (len(unsubscribe) != 1 or post != ["List-Unsubscribe=One-Click"]):
        yield "List-Unsubscribe is not one click (RFC 8058)"


def faults_of_parts(message):
    parts = [part.get_content_type() for part in message.walk()]
    if parts != ["multipart/alternative", "text/plain", "text/html"]:
        yield f"has the parts {parts}"
        return
    for part in message.iter_parts():
        if not part.get_content(errors="strict").strip():
            yield f"{part.get_content_type()} has no text"
        if part.defects:
            yield f"{part.get_content_type()}: {part.defects}"


def faults_of(raw):
    faults = list(faults_of_lines(raw))
    try:
        message = email.message_from_bytes(raw, policy=strict)
        faults += faults_of_headers(message)
        faults += faults_of_parts(message)
        message.as_bytes()
    except Exception as error:
        faults.append(f"{type(error).__name__}: {error}")
    return faults


with open(sys.argv[1], encoding="utf-8") as file:
    mails = json.load(file)
print(json.dumps({name: faults_of(base64.b64decode(mail)) for name, mail in mails.items()}))
