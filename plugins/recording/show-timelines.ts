import { addAll } from 'orch/sdk'
import type { Recording } from './read-recording.js'
import type { SelectedTimelines } from './select-entries.js'
import type { Entry, RequestEntry, Timeline } from './timeline.js'

/** A value takes so many characters of a line at most. */
const longestValue = 100
/** What a refused request sent is all there is to see of it. */
const longestBody = 1000
/** Behind this many fields of a change, the rest is counted. */
const mostFields = 20
const indent = ' '.repeat(12)

/** Timelines for a terminal: one block for each object, times since the begin. */
export function showTimelines(recording: Recording, { objects, others, leftOut }: SelectedTimelines): string {
  const { startedAt, endedAt, requests, changes, isCut } = recording
  const lines = [
    `Recorded from ${new Date(startedAt).toISOString()} on for ${seconds(endedAt - startedAt)}: ` +
      `${requests.length} requests, ${changes.length} changes.`,
    ...(isCut ? ['What came before was too much to be kept.'] : []),
  ]
  for (const timeline of objects) addAll(lines, ['', titleOf(timeline)], timeline.entries.flatMap(linesOf(startedAt)))
  if (others.length > 0) addAll(lines, ['', 'Requests about no single object'], others.flatMap(linesOf(startedAt)))
  if (leftOut > 0)
    lines.push('', `${leftOut} objects that the server alone had to do with are left out; --all shows them.`)
  return `${lines.join('\n')}\n`
}

function titleOf({ kind, resource, group, namespace, name }: Timeline): string {
  const type = `${kind || resource}${group === '' ? '' : `.${group}`}`
  return printable(`${type} ${namespace === '' ? '' : `${namespace}/`}${name}`)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`

const linesOf =
  (startedAt: number) =>
  (entry: Entry): string[] => {
    const [first, ...more] = textOf(entry)
    const at = `+${((entry.at - startedAt) / 1000).toFixed(3)}`.padStart(10)
    return [`${at}  ${printable(first!)}`, ...more.map(line => indent + printable(line))]
  }

function textOf(entry: Entry): string[] {
  if (entry.what === 'request') return requestText(entry)
  if (entry.what === 'event') {
    const { type, reason, message, by, count } = entry
    return [`event ${type} ${reason}: ${message}${count > 1 ? ` (×${count})` : ''}${by === '' ? '' : `, from ${by}`}`]
  }
  const { what, revision, by, fields, object } = entry
  const head = `${what}${by === undefined ? '' : ` by ${by}`}, version ${revision}`
  if (what === 'created') return [head, ...contentsOf(object)]
  const shown = fields.slice(0, mostFields).map(({ path, before, after }) => {
    if (before === undefined) return `+ ${path}: ${valueText(after)}`
    if (after === undefined) return `- ${path}: ${valueText(before)}`
    return `  ${path}: ${valueText(before)} → ${valueText(after)}`
  })
  return [head, ...shown, ...(fields.length > mostFields ? [`… and ${fields.length - mostFields} fields`] : [])]
}

/** The fields that a client set in a new object; the rest of the metadata is set by the server. */
function contentsOf(object: object | undefined): string[] {
  const { metadata, ...rest } = (object ?? {}) as { metadata?: Record<string, unknown> }
  const { labels, annotations, ownerReferences, finalizers } = metadata ?? {}
  const told = { labels, annotations, ownerReferences, finalizers, ...rest }
  return Object.entries(told).flatMap(([name, value]) =>
    value === undefined ? [] : [`+ ${name}: ${valueText(value)}`],
  )
}

function requestText(entry: RequestEntry): string[] {
  const { verb, uri, code, user, impersonator, userAgent, durationMs, times, stage, message, sent } = entry
  const who = impersonator === undefined ? user : `${user} (in truth ${impersonator})`
  const agent = userAgent === undefined ? '' : ` with ${userAgent.split(' ')[0]}`
  const lasted = stage === 'begun' ? 'open to the end' : times > 1 ? `×${times}` : `${durationMs.toFixed(1)} ms`
  return [
    `${verb} ${uri} ${code}, ${lasted}, by ${who}${agent}`,
    ...(message === undefined ? [] : [`failed: ${message}`]),
    ...(sent === undefined ? [] : [`sent: ${valueText(sent, longestBody)}`]),
  ]
}

function valueText(value: unknown, longest = longestValue): string {
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** Clients choose what is in a recording, and terminals obey control characters. */
const printable = (line: string): string => line.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
