import { byName, inCanonicalOrder } from './canonical-order.js'
import { isObject, type JsonObject, pickPaths, substitute, type Variables, valueAt } from './json-paths.js'
import { project } from './projections.js'
import { readProtobufBody } from './protobuf-body.js'
import type { Step } from './scenario.js'
import type { Answer } from './scenario-client.js'

/** A response reduced to the compared parts, and its body for saving values. */
export interface Observation {
  readonly seen: { status: number; body?: unknown; waitFor?: string; [part: string]: unknown }
  readonly body: unknown
  /** Undefined for steps without a response of a server. */
  readonly headers?: Answer['headers']
}

/** The media type without its charset. */
export const mediaType = (header: string | undefined): string =>
  (header ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '' && !part.startsWith('charset'))
    .join(';')

/** `variables` replace names in what the step picks. */
export function observe(step: Step, answer: Answer, variables: Variables): Observation {
  const contentType = mediaType(answer.headers['content-type'])
  const seen: Observation['seen'] = { status: answer.status, contentType }
  const warnings = answer.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'warning').length
  if (warnings > 0) seen['warnings'] = warnings
  if (step.headersOf)
    seen['headers'] = Object.fromEntries(
      step.headersOf.map(name => [name.toLowerCase(), answer.headers[name.toLowerCase()] ?? null]),
    )
  if (step.pretty) {
    const text = answer.bytes.toString()
    seen['pretty'] = text.startsWith('{\n  "') && text.trimEnd().endsWith('\n}')
  }
  const body = readBody(step, contentType, answer.bytes)
  const ordered = inCanonicalOrder(body)
  const isFailure = isObject(ordered) && ordered['kind'] === 'Status' && ordered['status'] === 'Failure'
  if (isFailure) seen['reason'] = ordered['reason'] ?? null
  if (!step.noBody) seen.body = isFailure ? ordered : reduced(step, ordered, variables)
  return { seen, body, headers: answer.headers }
}

function reduced(step: Step, body: unknown, variables: Variables): unknown {
  if (step.unordered && isObject(body) && Array.isArray(body['items'])) body['items'] = [...body['items']].sort(byName)
  if (step.project) return inCanonicalOrder(project(body, substitute(step.project, variables)))
  return step.pick ? pickPaths(body, substitute(step.pick, variables)) : body
}

function readBody(step: Step, contentType: string, bytes: Buffer): JsonObject {
  if (contentType.includes('protobuf') && !step.rawBody)
    return { protobuf: readProtobufBody(bytes, valueAt(step.expect, 'body.protobuf')) }
  const text = bytes.toString()
  if (step.json || contentType.startsWith('application/json') || contentType.startsWith('application/com.github')) {
    try {
      return JSON.parse(text)
    } catch {
      return { unparsed: text.slice(0, 200) }
    }
  }
  if (contentType === 'application/yaml' && step.rawBody !== 'text')
    return { yamlLines: text.split('\n').filter(Boolean).length > 0 }
  return { text }
}
