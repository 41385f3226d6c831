import {
  type ApiObject,
  badRequest,
  type ConnectSubresource,
  type ConnectSwitch,
  type ConnectUpgrade,
  notFound,
} from 'orch/sdk'
import type { Exchange } from '../contracts/exchange.js'
import { methodNotAllowed } from '../contracts/protocol-errors.js'
import type { RequestContext } from '../contracts/request-context.js'
import { isTrueParameter, type RequestInfo } from '../contracts/request-info.js'
import { sendBytes } from '../contracts/send-bytes.js'
import { derive } from '../schema/derive.js'
import type { ScalarNode } from '../schema/type-model.js'
import { type CompiledVersion, compileVersion } from '../types/compiled-version.js'
import { fromStoredBody } from '../types/stored-json.js'
import { confirmAllowed } from './further-permission.js'
import type { VerbRequest } from './verb.js'
import { runPipeline } from './write-pipeline.js'
import { WriteTarget } from './write-target.js'

/** A request to a subresource that connects to something outside the API. Only the head is read. */
export async function connect(request: VerbRequest, subresource: ConnectSubresource): Promise<void> {
  const { services, context, type } = request
  const { info } = context
  const { verbs, needs, pathOption, check, targetName = sameName } = subresource
  // A proxied request may have any method: its meaning is unknown here.
  if (pathOption === undefined && !(verbs as readonly string[]).includes(info.verb)) throw methodNotAllowed()
  // A connection has effects that cannot be tried without them.
  if (!subresource.reads && info.query.has('dryRun')) throw badRequest('dryRun is not supported')
  const version = optionsOf(request, subresource)
  const options = readOptions(info, version, pathOption)
  // As for any action, the request is validated before its target is looked up.
  if (!subresource.reads) await admit(request, subresource, version, options)
  if (subresource.alsoNeedsVerb !== undefined && subresource.alsoNeedsVerb !== info.verb)
    await confirmAllowed(request, subresource.alsoNeedsVerb, info.subresource)
  ;(check as ((options: object, name: string) => void) | undefined)?.(options, info.name)
  const name = targetName(info.name)
  const found = await services.store.get(type.key(info.namespace, name))
  if (!found) throw notFound({ group: type.group, resource: type.resource, name })
  const target = fromStoredBody(found.body)
  const { namespace } = info
  const answer = await subresource.connect(
    {
      user: context.user,
      namespace,
      name: info.name,
      options,
      target,
      signal: context.signal,
      upgrade: upgradeOf(context.exchange),
    },
    services.resolve(type.pluginOf(info.subresource), needs),
  )
  if (!answer) return context.exchange.send(204, {}, '')
  // It may last as long as a watch: its seat is released.
  context.releaseSeat()
  if ('serve' in answer) return switchProtocols(context, answer)
  context.onAnswerBegins?.(200)
  const headers = { 'Content-Type': answer.contentType ?? 'text/plain', 'Cache-Control': 'no-cache, private' }
  await sendBytes(context.exchange, 200, headers, answer.body)
}

/** The headers of an upgrade request; credentials are not passed on. */
const upgradeHeader = /^(upgrade$|sec-websocket-|x-stream-)/

function upgradeOf({ canUpgrade, method, headers }: Exchange): ConnectUpgrade | undefined {
  if (!canUpgrade) return undefined
  return { method, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => upgradeHeader.test(name))) }
}

async function switchProtocols(context: RequestContext, { headers, serve }: ConnectSwitch): Promise<void> {
  const { exchange } = context
  if (!exchange.upgrade) throw new Error('the connection cannot be used for another protocol')
  context.onAnswerBegins?.(101)
  const connection = exchange.upgrade({ ...headers })
  try {
    await serve(connection)
  } finally {
    connection.destroy()
  }
}

const sameName = (name: string): string => name

/** The type of the options, in the requested version; compiled on first use. */
function optionsOf({ type, version }: VerbRequest, subresource: ConnectSubresource): CompiledVersion {
  const { objectKind: kind, schema } = subresource
  return derive(
    version,
    () => compileVersion({ group: type.group, kind }, { name: version.name, schema }, false),
    subresource,
  )
}

/** The options that the query and the path give. */
function readOptions(
  { query, path, proxyPath }: RequestInfo,
  { model, decode }: CompiledVersion,
  pathOption: string | undefined,
): ApiObject {
  const options: Record<string, unknown> = {}
  for (const [name, { node }] of model.fields) {
    if (name === pathOption || !query.has(name)) continue
    if (node.is === 'list')
      options[name] = listOf(query.getAll(name), node.item as ScalarNode).map(text =>
        readScalar(name, node.item as ScalarNode, text),
      )
    else if (node.is === 'scalar' && node.scalar === 'boolean') options[name] = isTrueParameter(query, name)
    else options[name] = readScalar(name, node as ScalarNode, query.get(name)!)
  }
  // The trailing slash matters to the target, and stands alone when there is no further path.
  const behind = proxyPath ?? (path.endsWith('/') ? '/' : '')
  if (pathOption !== undefined && behind !== '') options[pathOption] = behind
  return Object.assign(decode(options) as ApiObject, { metadata: {} })
}

/** Integers may share one parameter, separated by commas. */
const listOf = (texts: readonly string[], { scalar }: ScalarNode): readonly string[] =>
  scalar === 'int32' || scalar === 'int64' ? texts.flatMap(text => text.split(',')) : texts

function readScalar(name: string, { scalar }: ScalarNode, text: string): unknown {
  if (scalar !== 'int32' && scalar !== 'int64') return text
  if (!/^[+-]?\d{1,19}$/.test(text) || (scalar === 'int32' && Math.abs(Number(text)) > 0x7fffffff))
    throw badRequest(`the parameter ${name} is ${JSON.stringify(text)}: it must be an integer of type ${scalar}`)
  return Number(text)
}

function admit(
  request: VerbRequest,
  { objectKind: kind }: ConnectSubresource,
  optionsVersion: CompiledVersion,
  object: ApiObject,
): Promise<void> {
  const { context, type, version } = request
  const { name, subresource } = context.info
  return runPipeline({
    kind: 'action',
    target: new WriteTarget(request, subresource, { dryRun: false }),
    operation: 'connect',
    name,
    object,
    action: { kind: { group: type.group, version: version.name, kind }, version: optionsVersion },
  })
}
