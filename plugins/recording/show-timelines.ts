import { addAll } from 'orch/sdk'
import type { Recording } from './read-recording.js'
import type { SelectedTimelines } from './select-entries.js'
import type { Entry, RequestEntry, Timeline } from './timeline.js'

/** The maximum length of a value in a line. */
const longestValue = 100
/** Longer for bodies of rejected requests, since nothing else shows them. */
const longestBody = 1000
/** Further fields of a change are only counted. */
const maxFields = 20
const indent = ' '.repeat(12)

/** Timelines for a terminal: one block for each object, with times since the start. */
export function showTimelines(recording: Recording, { objects, others, leftOut }: SelectedTimelines): string {
  const { startedAt, endedAt, requests, changes, isCut } = recording
  const lines = [
    `Recorded from ${new Date(startedAt).toISOString()} for ${seconds(endedAt - startedAt)}: ` +
      `${requests.length} requests, ${changes.length} changes.`,
    ...(isCut ? ['Older entries were dropped because of the size limit.'] : []),
  ]
  for (const timeline of objects) addAll(lines, ['', titleOf(timeline)], timeline.entries.flatMap(linesOf(startedAt)))
  if (others.length > 0)
    addAll(lines, ['', 'Requests for collections and other paths'], others.flatMap(linesOf(startedAt)))
  if (leftOut > 0)
    lines.push('', `${leftOut} objects that only the server itself has written are omitted; --all shows them.`)
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
  const shown = fields.slice(0, maxFields).map(({ path, before, after }) => {
    if (before === undefined) return `+ ${path}: ${valueText(after)}`
    if (after === undefined) return `- ${path}: ${valueText(before)}`
    return `  ${path}: ${valueText(before)} → ${valueText(after)}`
  })
  return [head, ...shown, ...(fields.length > maxFields ? [`… and ${fields.length - maxFields} fields`] : [])]
}

/** The fields that a client set in a new object; the rest of the metadata is set by the server. */
function contentsOf(object: object | undefined): string[] {
  const { metadata, ...rest } = (object ?? {}) as { metadata?: Record<string, unknown> }
  const { labels, annotations, ownerReferences, finalizers } = metadata ?? {}
  const shownFields = { labels, annotations, ownerReferences, finalizers, ...rest }
  return Object.entries(shownFields).flatMap(([name, value]) =>
    value === undefined ? [] : [`+ ${name}: ${valueText(value)}`],
  )
}

function requestText(entry: RequestEntry): string[] {
  const { verb, uri, code, user, impersonator, userAgent, durationMs, times, stage, message, sent } = entry
  const who = impersonator === undefined ? user : `${user} (impersonated by ${impersonator})`
  const agent = userAgent === undefined ? '' : ` with ${userAgent.split(' ')[0]}`
  const lasted = stage === 'begun' ? 'open until the end' : times > 1 ? `×${times}` : `${durationMs.toFixed(1)} ms`
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

/** Recordings contain text of clients, whose control characters must not reach the terminal. */
const printable = (line: string): string => line.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
