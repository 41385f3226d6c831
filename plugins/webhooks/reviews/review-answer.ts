import { ApiError, isRecord, type StatusDetails } from 'orch/sdk'
import { CallFailure } from '../calling/call-failure.js'

/** The response of a webhook, in the form of v1. */
export interface ReviewAnswer {
  readonly isAllowed: boolean
  readonly status: DenialStatus | undefined
  /** A JSON Patch; undefined for no change. */
  readonly patch: string | undefined
  readonly warnings: readonly string[]
  readonly auditAnnotations: Readonly<Record<string, string>>
}
/** The fields of a Status object that the webhook has set. */
export interface DenialStatus {
  readonly status?: string
  readonly message?: string
  readonly reason?: string
  readonly code?: number
  readonly details?: Record<string, unknown>
}

export interface Expectation {
  readonly uid: string
  /** `<group>/v1`; responses of the older version are checked less strictly. */
  readonly groupVersion: string
  readonly isMutating: boolean
}

type Fields = Record<string, unknown>
const broken = (why: string) => new CallFailure(`received invalid webhook response: ${why}`)

/** Decodes and checks a response. An invalid response is a failure of the call, so the failure policy applies. */
export function readAnswer(body: string, expected: Expectation): ReviewAnswer {
  const review = parse(body)
  const response = review['response']
  if (!isRecord(response)) throw broken('webhook response was absent')
  checkTypes(response)
  const isStrict = expected.groupVersion.endsWith('/v1')
  if (isStrict) checkUid(response, expected)
  checkType(review, expected, isStrict)
  const patch = isStrict ? strictPatch(response, expected) : response['patch']
  return {
    isAllowed: response['allowed'] === true,
    status: response['status'] as DenialStatus | undefined,
    // The older version ignores the patch of a validating webhook, and the type of a patch.
    patch: expected.isMutating && patch ? decodeBase64(patch as string) : undefined,
    warnings: (response['warnings'] as string[] | undefined) ?? [],
    auditAnnotations: (response['auditAnnotations'] as Record<string, string> | undefined) ?? {},
  }
}

function parse(body: string): Fields {
  let review: unknown
  try {
    review = JSON.parse(body)
  } catch {
    throw broken('it is not JSON')
  }
  if (!isRecord(review)) throw broken('it is not an object')
  return review
}

const is = (type: string) => (value: unknown) => typeof value === type
const isTextMap = (value: unknown) => isRecord(value) && Object.values(value).every(is('string'))
const isTextList = (value: unknown) => Array.isArray(value) && value.every(is('string'))

const typeRules = new Map<string, (value: unknown) => boolean>([
  ['uid', is('string')],
  ['allowed', is('boolean')],
  ['status', isStatus],
  ['patch', is('string')],
  ['patchType', is('string')],
  ['auditAnnotations', isTextMap],
  ['warnings', isTextList],
])

/** Values of the wrong type are rejected; null counts as absent. */
function checkTypes(response: Fields): void {
  for (const name of Object.keys(response)) {
    if (response[name] === null) delete response[name]
    else if (typeRules.get(name)?.(response[name]) === false) throw broken(`response.${name} has the wrong type`)
  }
}

function isStatus(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { code, details } = value
  return areTexts(value, 'status', 'message', 'reason') && isWhole(code) && isDetails(details ?? {})
}

function isDetails(value: unknown): boolean {
  if (!isRecord(value)) return false
  const causes = value['causes'] ?? []
  return (
    areTexts(value, 'name', 'group', 'kind', 'uid') &&
    isWhole(value['retryAfterSeconds']) &&
    Array.isArray(causes) &&
    causes.every(cause => isRecord(cause) && areTexts(cause, 'reason', 'message', 'field'))
  )
}
const areTexts = (fields: Fields, ...names: string[]) => names.every(name => typeof (fields[name] ?? '') === 'string')
const isWhole = (value: unknown) => Number.isInteger(value ?? 0)

function checkUid(response: Fields, { uid }: Expectation): void {
  if (response['uid'] !== uid)
    throw broken(`expected response.uid=${JSON.stringify(uid)}, got ${quoted(response['uid'])}`)
}

/** In the older version, apiVersion and kind may be missing, but must not be wrong. */
function checkType({ apiVersion, kind }: Fields, { groupVersion }: Expectation, isStrict: boolean): void {
  const isRight = (value: unknown, expected: string) => value === expected || (!isStrict && (value ?? '') === '')
  if (!isRight(apiVersion, groupVersion) || !isRight(kind, 'AdmissionReview'))
    throw broken(
      `expected webhook response of ${groupVersion}, Kind=AdmissionReview, got ${quoted(apiVersion)}, Kind=${quoted(kind)}`,
    )
}

/** Truncated, because the value is arbitrary. */
const quoted = (value: unknown) => JSON.stringify(value ?? '').slice(0, 100)

function strictPatch({ patch, patchType }: Fields, { isMutating }: Expectation): unknown {
  if (!isMutating) {
    if (patch) throw broken('validating webhook may not return response.patch')
    if (patchType !== undefined) throw broken('validating webhook may not return response.patchType')
    return undefined
  }
  if (patch && patchType === undefined) throw broken('webhook returned response.patch but not response.patchType')
  if (!patch && patchType !== undefined) throw broken('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw broken('webhook returned invalid response.patchType of ""')
  if (patch && patchType !== 'JSONPatch') throw new CallFailure(`unsupported patch type ${JSON.stringify(patchType)}`)
  return patch
}

function decodeBase64(text: string): string {
  // Buffer ignores invalid characters, and a truncated patch is worse than none.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, '')))
    throw broken('response.patch is not base64')
  return Buffer.from(text, 'base64').toString('utf8')
}

/** The error for a request that a webhook denied: the code, reason and details of the webhook, and a message that names it. */
export function denial(webhookName: string, given: DenialStatus | undefined): ApiError {
  const { code = 0, reason = '', message = '', details } = given ?? {}
  const why = message || reason
  const denied = `admission webhook ${JSON.stringify(webhookName)} denied the request`
  return new ApiError(
    // A denial is never a success, whatever code the webhook sent.
    code >= 400 && code < 600 ? code : 400,
    reason,
    why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    details as StatusDetails | undefined,
  )
}
