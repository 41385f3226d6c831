import { ApiError, orchProfile } from 'orch/sdk'
import { ClientConfigError, ConnectionError } from 'orch/sdk/client'
import { exitCodes } from './exit-codes.js'
import type { Terminal } from './terminal.js'
import { isUsageError } from './usage-error.js'

/** Lists the conflicting fields of an apply and their owners; undefined if the error is not a conflict. */
function conflictReport({ code, details }: ApiError, subject: string): string[] | undefined {
  const causes = (details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict')
  if (code !== 409 || causes.length === 0) return undefined
  const rows = causes.map(({ field = '', message = '' }) => ({ field, owner: message.replace(/^conflict with /, '') }))
  const width = Math.max(...rows.map(({ field }) => field.length))
  const count = rows.length === 1 ? 'one field belongs' : `${rows.length} fields belong`
  const what = subject === '' ? '' : `${subject}: `
  return [
    `${what}nothing was applied, because ${count} to others; leave them out, or take over with --force-conflicts`,
    ...rows.map(({ field, owner }) => `  ${field.padEnd(width)}  owned by ${owner}`),
  ]
}

/** An error for the user: the first line says what happened and what to do, the others give details. */
export interface Explanation {
  readonly lines: readonly string[]
  readonly code: number
}

/** Prints an error and returns the exit code. `subject` is the object that it concerns. */
export function reportFailure(terminal: Terminal, error: unknown, subject = ''): number {
  const { lines, code } = explainFailure(error, subject)
  const [first = '', ...more] = lines
  terminal.log(`${terminal.paint.bad('error:')} ${first}`)
  for (const line of more) terminal.log(line)
  return code
}

export function explainFailure(error: unknown, subject = ''): Explanation {
  if (isUsageError(error)) return { lines: [error.message], code: exitCodes.misused }
  if (error instanceof ClientConfigError) return { lines: [configLine(error)], code: exitCodes.misused }
  if (error instanceof ConnectionError) return { lines: [connectionLine(error)], code: exitCodes.unreachable }
  if (error instanceof ApiError) {
    const conflict = conflictReport(error, subject)
    return { lines: conflict ?? linesOf(error), code: exitCodes.failed }
  }
  return { lines: [error instanceof Error ? error.message : String(error)], code: exitCodes.failed }
}

const configLine = ({ message, problems }: ClientConfigError) =>
  problems.some(problem => problem.includes('no configuration') || problem.includes('no current context'))
    ? `${message}; name a server with --server, a file with --config or ${orchProfile.env.clientConfig}, or a context with --context`
    : message

const connectionLine = ({ message, isTlsFailure }: ConnectionError) =>
  isTlsFailure
    ? `the server cannot be trusted: ${message}; is --server right, and the certificate-authority of this cluster?`
    : `no answer from the server: ${message}; is it running, and is --server or the context right?`

/** The message of an authorizer. Any other 403 comes from an admission control, which no permission changes. */
const lacksPermission = /: User "[^"]*" cannot \S+ (resource|path) "/

function linesOf({ code, reason, message, details }: ApiError): string[] {
  switch (code) {
    case 401:
      // A credential plugin or issuer of the client config failed; no request was sent.
      if (message.startsWith('getting credentials:')) return message.split('\n').filter(line => line !== '')
      return [
        `the server rejected your credentials (${reason}); check the credentials of this context, or give --token`,
      ]
    case 403:
      return [
        `(${reason}) ${message}${lacksPermission.test(message) ? '; ask an administrator for the permission' : ''}`,
      ]
    case 404:
      return [`(${reason || 'NotFound'}) ${message}`]
    case 415:
      return [`(${reason}) ${message}; try --type=merge`]
    case 422: {
      const all = (details?.causes ?? []).map(({ field = '', message = '' }) => `${field}: ${message}`)
      if (all.length < 2) return [`(${reason}) ${message}`]
      // Metadata is validated several times, which yields repeated causes.
      const [only = '', ...more] = new Set(all)
      const head = message.split(' is invalid:')[0]
      if (more.length === 0) return [`(${reason}) ${head} is invalid: ${only}`]
      return [`(${reason}) ${head} is invalid; correct these fields:`, ...[only, ...more].map(cause => `  ${cause}`)]
    }
    default:
      return [reason === '' ? message : `(${reason}) ${message}`]
  }
}
