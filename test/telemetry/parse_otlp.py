"""Reads bodies of OTLP/HTTP JSON, one a line, with the official message definitions, and prints what it has read of each."""
import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

MESSAGES = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}
IDS = ("traceId", "spanId", "parentSpanId")


def with_bytes(value):
    """OTLP has ids as hexadecimal digits, where JSON of Protocol Buffers has base64."""
    if isinstance(value, list):
        return [with_bytes(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: base64.b64encode(bytes.fromhex(one)).decode() if name in IDS else with_bytes(one)
        for name, one in value.items()
    }


def read(line):
    given = json.loads(line)
    message = json_format.ParseDict(with_bytes(json.loads(given["text"])), MESSAGES[given["path"]]())
    again = MESSAGES[given["path"]].FromString(message.SerializeToString())
    spans = [span for of in getattr(again, "resource_spans", []) for scope in of.scope_spans for span in scope.spans]
    metrics = [
        metric for of in getattr(again, "resource_metrics", []) for scope in of.scope_metrics for metric in scope.metrics
    ]
    return {
        "spans": [[span.name, span.kind, span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()] for span in spans],
        "points": sum(len(metric.histogram.data_points) for metric in metrics),
    }


for each in sys.stdin:
    print(json.dumps(read(each)))
