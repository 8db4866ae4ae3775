// SPDX-License-Identifier: Apache-2.0
"use strict";
// The analysis by column: of one segment, or of all segments together.

const source = document.getElementById("analysis");
const analysis = JSON.parse(source.textContent);
const BASELINE = source.dataset.baseline;
const DEFAULT = source.dataset.target;
/** Of all shares of rows that were read by position, the one that is shown: one in a hundred. */
const SELECTED = "0.01";
const READS = ["scan", "select"];

/** Names of all encodings, in the order of the analysis. */
const ENCODINGS = [...new Set([
  ...Object.keys(analysis.totals.encodings),
  ...analysis.segments.flatMap(segment => segment.columns.flatMap(column => Object.keys(column.encodings)))
])];

// Druid's encodings for longs only leave all other columns of a segment as they are without them.
for (const {encodings} of analysis.segments.flatMap(segment => segment.columns)) {
  for (const name of Object.keys(encodings).length > 0 ? ENCODINGS : []) {
    const without = encodings[name.replace(/^druid-auto-/, "druid-")];
    if (!encodings[name] && without) {
      encodings[name] = without;
    }
  }
}

/** Names of all forms, in the order of the bytes that they have in all encodings. */
const FORMS = [...d3.rollup(
  analysis.segments.flatMap(segment => segment.columns).flatMap(column => Object.values(column.encodings))
    .flatMap(encoding => Object.entries(encoding.forms ?? {})),
  usages => d3.sum(usages, ([, usage]) => usage.bytes),
  ([form]) => form
)].sort(([a, x], [b, y]) => y - x || d3.ascending(a, b)).map(([form]) => form);

function shown(encoding) {
  return encoding.replace(/^druid-/, "Druid ").replace(/^shapeshift-/, "shapeshift ");
}

/** Columns of the same name in all segments are one. */
function columnsOf(segments) {
  const parts = d3.group(
    segments.flatMap(segment => segment.columns),
    column => JSON.stringify([column.projection ?? null, column.name])
  );
  return [...parts.values()].map(together);
}

function together(parts) {
  const comparable = parts.filter(isComparable);
  // Of sizes and times only those may be summed and compared that are of the same rows.
  const encoded = comparable.length > 0 ? comparable : parts.filter(part => part.encodings[BASELINE]);
  const names = ENCODINGS.filter(name => encoded.length > 0 && encoded.every(part => part.encodings[name]));
  const distinct = key => [...new Set(parts.map(key).filter(value => value != null))];
  return {
    name: parts[0].name,
    projection: parts[0].projection,
    type: distinct(part => part.type + (part.auto ? ", auto" : "") + (part.multiValue ? ", multi-value" : "")).join(" or "),
    rows: d3.sum(parts, part => part.rows),
    cardinality: d3.max(parts, part => part.cardinality),
    stored: distinct(part => part.encoding).join(", "),
    bytes: sums(parts.map(part => part.bytes)),
    comparable: comparable.length > 0,
    comparableBytes: d3.sum(comparable, part => part.bytes.values),
    encodings: new Map(names.map(name => [name, encodedTogether(encoded, name)])),
    textIndexBytes: d3.sum(parts, part => part.textIndex?.bytes) || null,
    // Of the part that few texts have, in the first segment where it was measured.
    search: parts.map(part => part.textIndex?.searches?.fewHits).find(search => search) ?? null,
    hasObjects: parts.some(part => part.objects),
    problems: distinct(part => part.problem),
    notCounted: distinct(part => part.notCounted)
  };
}

/** Whether it has rows that every encoding can store, as the totals of the analysis count columns. */
function isComparable(column) {
  return ENCODINGS.length > 0 && ENCODINGS.every(name => column.encodings[name]);
}

function sums(all) {
  const of = part => d3.sum(all, bytes => bytes[part]);
  return {
    total: of("total"), dictionary: of("dictionary"), values: of("values"), index: of("index"), other: of("other")
  };
}

function encodedTogether(parts, name) {
  const nanos = read => parts.map(part => nanosPerRow(part.encodings[name], read));
  const forms = new Map();
  for (const part of parts) {
    for (const [form, usage] of Object.entries(part.encodings[name].forms ?? {})) {
      const sum = forms.get(form) ?? {chunks: 0, bytes: 0};
      forms.set(form, {chunks: sum.chunks + usage.chunks, bytes: sum.bytes + usage.bytes});
    }
  }
  return {
    bytes: d3.sum(parts, part => part.encodings[name].bytes),
    indexBytes: d3.sum(parts, part => part.encodings[name].indexBytes),
    dictionaryBytes: d3.sum(parts, part => part.encodings[name].dictionaryBytes),
    // Nanoseconds per row of all, weighted by rows; null where a part was not measured.
    nanos: Object.fromEntries(READS.map(read => [
      read,
      nanos(read).includes(null) ? null : d3.sum(nanos(read), (n, i) => n * parts[i].rows)
    ])),
    forms
  };
}

function nanosPerRow(encoding, read) {
  return (read === "scan" ? encoding.scanNsPerRow : encoding.selectNsPerRow?.[SELECTED]) ?? null;
}

/** Bytes of whole segments in an encoding; null where the analysis does not say. */
function segmentBytes(segments, encoding) {
  const bytes = segments.map(segment => segment.encodings?.[encoding]?.segmentBytes ?? null);
  return bytes.length === 0 || bytes.includes(null) ? null : d3.sum(bytes);
}

/** Bytes of whole segments in an encoding divided by those in the baseline. */
function segmentRatio(segments, encoding) {
  return quotient(segmentBytes(segments, encoding), segmentBytes(segments, BASELINE));
}

/** Bytes of an encoding divided by those of the baseline; null where there is nothing to compare. */
function sizeRatio(column, encoding) {
  return quotient(column.encodings.get(encoding)?.bytes, column.encodings.get(BASELINE)?.bytes);
}

/** Time of the baseline divided by that of an encoding: above 1 it is faster. */
function speedRatio(column, encoding, read) {
  return quotient(column.encodings.get(BASELINE)?.nanos[read], column.encodings.get(encoding)?.nanos[read]);
}

function quotient(a, b) {
  return a == null || b == null || b <= 0 ? null : a / b;
}

/**
 * Sums of those columns that every encoding can store, in the shape of a column; of times the geometric mean, which
 * gives each column the same weight.
 */
function totalsOf(columns) {
  const comparable = columns.filter(column => column.comparable);
  // Neither objects nor nested data are measured.
  const mean = (name, read) => {
    const nanos = comparable.filter(column => !column.type.startsWith("COMPLEX")).map(column => column.encodings.get(name).nanos[read]);
    return nanos.length === 0 || nanos.includes(null) ? null : Math.exp(d3.mean(nanos, Math.log));
  };
  return {
    count: comparable.length,
    comparableBytes: d3.sum(comparable, column => column.comparableBytes),
    bytes: sums(columns.map(column => column.bytes)),
    encodings: new Map(comparable.length === 0 ? [] : ENCODINGS.map(name => [name, {
      bytes: d3.sum(comparable, column => column.encodings.get(name).bytes),
      indexBytes: d3.sum(comparable, column => column.encodings.get(name).indexBytes),
      dictionaryBytes: d3.sum(comparable, column => column.encodings.get(name).dictionaryBytes),
      nanos: Object.fromEntries(READS.map(read => [read, mean(name, read)]))
    }]))
  };
}

/** Whether the read was measured in any column. */
function isMeasured(columns, read) {
  return columns.some(column => ENCODINGS.some(name => name !== BASELINE && speedRatio(column, name, read) !== null));
}

const format = {
  count: d3.format(","),
  ratio: d3.format(".3f"),
  speed: value => d3.format(value < 10 ? ".2f" : ".1f")(value) + "\u00d7",
  percent: d3.format(".1%"),
  bytes: value => value < 1000 ? `${value} bytes` : d3.format(".3s")(value).replace(/\D$/, " $&B"),
  counted: (count, thing) => `${format.count(count)} ${thing}${count === 1 ? "" : "s"}`
};
