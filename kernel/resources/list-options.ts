import { badRequest, defineDifference, type FieldError, forbiddenField, notSupported } from 'orch/sdk'
import { CompactedError, type Revision } from 'orch/sdk/host'
import { parseFieldSelector, parseLabelSelector } from 'orch/sdk/validation'
import { gone } from '../contracts/protocol-errors.js'
import type { Representation } from '../contracts/representation.js'
import type { RequestContext } from '../contracts/request-context.js'
import { isTrueParameter } from '../contracts/request-info.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import { integerParameter, invalidOptions } from './request-options.js'
import type { ResourceServices } from './resource-services.js'
import { parseSelection, type Selection } from './selection.js'
import type { VerbRequest } from './verb.js'
import { parseVersion, waitForRevision } from './versions.js'

/** A list request, resolved to a query of the store. */
export interface ListOptions {
  readonly selection: Selection
  /** 0 means no limit. */
  readonly limit: number
  /** The exact revision to list at, or undefined for the newest. */
  readonly revision: Revision | undefined
  /** Instead of the newest, one that is at least as new as this. */
  readonly notOlderThan?: Revision
  /** Continue after this key. */
  readonly after: string | undefined
}

/** Parses the parameters of a list; every combination of resourceVersion and resourceVersionMatch is handled here. */
export async function parseListOptions(
  services: ResourceServices,
  context: RequestContext,
  type: ResourceType,
  version: CompiledVersion,
): Promise<ListOptions> {
  const { query, namespace } = context.info
  if (query.size === 0) return newest
  const { limit } = readPaging(services, query, false)
  const asked = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const token = query.get('continue') ?? ''
  const selection = parseSelection(type, version, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '')
  if (token !== '') return { selection, limit, ...(await fromToken(services, type, namespace, token, asked)) }
  // One object has no pages.
  const isSingle = selection.name !== undefined && (namespace !== '' || !type.namespaced)
  const paging = { selection, limit: isSingle ? 0 : limit, after: undefined }
  if (asked === '') return { ...paging, revision: undefined }
  const revision = parseVersion(asked)
  if (revision === 0) return { ...paging, revision: undefined, notOlderThan: 0 }
  const isExact = match === 'Exact' || (match === '' && limit > 0)
  await waitForRevision(services, revision)
  if (isExact && revision < services.store.compactedRevision())
    throw tooOld(revision, services.store.compactedRevision())
  return isExact ? { ...paging, revision } : { ...paging, revision: undefined, notOlderThan: revision }
}

const newest: ListOptions = {
  selection: { filter: undefined, text: '', name: undefined, namespace: undefined },
  limit: 0,
  revision: undefined,
  after: undefined,
}

export const tooOld = (asked: Revision, oldest: Revision) =>
  gone(`The provided resource version is too old: ${asked} (${oldest})`)

/** The numeric parameters of a list or watch. Throws if its parameters contradict each other. */
export function readPaging(
  services: ResourceServices,
  query: URLSearchParams,
  isWatch: boolean,
): { readonly limit: number; readonly timeoutSeconds: number } {
  const timeoutSeconds = integerParameter(query, 'timeoutSeconds') ?? 0
  const asked = Math.max(0, integerParameter(query, 'limit') ?? 0)
  const limit = services.limits.listsInChunks ? asked : 0
  // The path of a watch says nothing here.
  refuseBadMatch(services, query, isWatch && isTrueParameter(query, 'watch'))
  return { limit, timeoutSeconds }
}

/** From this version on, a client can ask a watch to begin with the current state and to mark its end. */
export const knowsInitialEvents = defineDifference({
  name: 'watches-send-initial-events-on-demand',
  since: '1.27',
  description:
    'Watches support sendInitialEvents: with the gate WatchList a watch sends the initial state and marks its end; without the gate the parameter is rejected.',
  knownFrom: 'gate',
  additive: true,
})

/** Which of two mistakes is reported, a bad parameter or a media type that is not served. */
const readsParametersFirst = defineDifference({
  name: 'list-parameters-are-read-before-the-media-type',
  since: '1.32',
  until: '1.35',
  description:
    'A list or watch with a malformed parameter and an unknown view, such as a Table of an unknown version, is answered with 400 instead of 406.',
  knownFrom: 'source',
})

/** The form of the response to a list or watch; 406 if there is none, unless another mistake comes first. */
export function negotiateList({ services, context, type, version }: VerbRequest, isWatch = false): Representation {
  const { query } = context.info
  try {
    return services.representations.negotiate(context, type, version)
  } catch (refusal) {
    // If no media type is served, the error about a parameter could not be written either, except by types that came as data.
    const isWritable =
      !type.conventions.mediaTypeErrorsHaveDetails ||
      services.representations.negotiator.accepts(context.exchange.headers.accept)
    if (isWritable && services.vendor.level.has(readsParametersFirst)) {
      readPaging(services, query, isWatch)
      parseLabelSelector(query.get('labelSelector') ?? '')
      parseFieldSelector(query.get('fieldSelector') ?? '')
    }
    throw refusal
  }
}

function refuseBadMatch(services: ResourceServices, query: URLSearchParams, isWatch: boolean): void {
  const { vendor } = services
  const knowsInitial = vendor.level.has(knowsInitialEvents)
  const match = query.get('resourceVersionMatch') ?? ''
  const asksForInitial = knowsInitial && query.has('sendInitialEvents')
  if (match === '' && !asksForInitial) return refuseContinue(services, query, isWatch)
  const errors: FieldError[] = []
  if (isWatch && knowsInitial) addWatchErrors(services, query, match, asksForInitial, errors)
  else if (match !== '') addMatchErrors(query, match, isWatch, errors)
  if (asksForInitial && !isWatch)
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  if (errors.length === 0) return
  // Invalid selectors are reported before contradictory options.
  parseLabelSelector(query.get('labelSelector') ?? '')
  parseFieldSelector(query.get('fieldSelector') ?? '')
  throw invalidOptions(vendor, 'ListOptions', errors)
}

/** A watch that begins with a list by itself has `resourceVersionMatch=NotOlderThan`, beside which `continue` is forbidden. */
function refuseContinue({ vendor, limits }: ResourceServices, query: URLSearchParams, isWatch: boolean): void {
  const beginsWithList = ['', '0'].includes(query.get('resourceVersion') ?? '')
  if (isWatch && limits.streamsLists && beginsWithList && query.get('continue'))
    throw invalidOptions(vendor, 'ListOptions', [forbidMatch('when continue is provided')])
}

const matchField = 'resourceVersionMatch'
const forbidMatch = (why: string) => forbiddenField(matchField, `resourceVersionMatch is forbidden ${why}`)

function addMatchErrors(query: URLSearchParams, match: string, isWatch: boolean, errors: FieldError[]): void {
  const version = query.get('resourceVersion') ?? ''
  if (isWatch) errors.push(forbidMatch('for watch'))
  if (version === '') errors.push(forbidMatch('unless resourceVersion is provided'))
  if (query.get('continue')) errors.push(forbidMatch('when continue is provided'))
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']))
  if (match === 'Exact' && version === '0')
    errors.push(forbiddenField(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
}

function addWatchErrors(
  { limits }: ResourceServices,
  query: URLSearchParams,
  match: string,
  asksForInitial: boolean,
  errors: FieldError[],
): void {
  const isNotOlderThan = match === 'NotOlderThan'
  if (asksForInitial && !isNotOlderThan)
    errors.push(forbiddenField(matchField, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  if (asksForInitial && !limits.streamsLists)
    errors.push(
      forbiddenField(
        'sendInitialEvents',
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
    )
  if (match === '') return
  if (!asksForInitial) errors.push(forbidMatch('for watch unless sendInitialEvents is provided'))
  if (!isNotOlderThan) errors.push(notSupported(matchField, match, ['NotOlderThan']))
  if (query.get('continue')) errors.push(forbidMatch('when continue is provided'))
}

/** The contents of a continue token: the revision of the first page and the key after which the next one starts. */
interface Token {
  readonly v: 1
  readonly rv: Revision
  /** The rest of the key, below the prefix of the collection. */
  readonly after: string
}

/** In place of a revision in a token: the newest one at the time the token is used. */
const atNewest = -1

export function makeToken(revision: Revision, type: ResourceType, namespace: string, lastKey: string): string {
  const token: Token = { v: 1, rv: revision, after: lastKey.slice(type.collectionPrefix(namespace).length) }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

async function fromToken(
  services: ResourceServices,
  type: ResourceType,
  namespace: string,
  text: string,
  version: string,
): Promise<Pick<ListOptions, 'revision' | 'after'>> {
  if (version !== '' && version !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const token = decodeToken(text)
  const { store } = services
  // Another server may have issued the token, for a revision that has not arrived here yet.
  await waitForRevision(services, token.rv)
  const after = type.collectionPrefix(namespace) + token.after
  if (token.rv === atNewest) return { revision: undefined, after }
  if (token.rv < store.compactedRevision()) throw expiredToken(type, namespace, after)
  return { revision: token.rv, after }
}

/** The error for an expired token, with a new token that continues from the same key at the newest revision. */
const expiredToken = (type: ResourceType, namespace: string, after: string) =>
  gone(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    makeToken(atNewest, type, namespace, after),
  )

/** Runs the part of a request that reads a page. History may be compacted meanwhile: a continued list then gets a new token. */
export async function readingPage<T>(
  { context, type }: Pick<VerbRequest, 'context' | 'type'>,
  { after }: ListOptions,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    if (after === undefined || !(thrown instanceof CompactedError)) throw thrown
    throw expiredToken(type, context.info.namespace, after)
  }
}

function decodeToken(text: string): Token {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Token
    if (
      token.v === 1 &&
      Number.isSafeInteger(token.rv) &&
      (token.rv > 0 || token.rv === atNewest) &&
      typeof token.after === 'string' &&
      token.after !== ''
    )
      return token
  } catch {
    // Not issued by this server: refused below like any other invalid token.
  }
  throw badRequest('continue key is not valid')
}
