"""Reads Slack messages with the models of slack_sdk, which know Slack's limits: prints the faults of each."""

import json
import sys

from slack_sdk.models.blocks import Block


def faults_of(message):
    faults = []
    for given in message.get("blocks", []):
        try:
            block = Block.parse(given)
            known = block.to_dict() if block else None
        except Exception as error:
            faults.append(f"{given.get('type')}: {error}")
            continue
        if known != given:
            faults.append(f"{given.get('type')}: slack_sdk reads {known} of {given}")
    return faults


with open(sys.argv[1], encoding="utf-8") as file:
    messages = json.load(file)
print(json.dumps({name: faults_of(message) for name, message in messages.items()}))
