import { createHmac, X509Certificate } from 'node:crypto'
import { byText } from './canonical-order.js'
import { isObject, type JsonObject, pickPaths, valueAt } from './json-paths.js'

/** Reductions of a body to what a step compares, by name. `chosen` is the argument of the step. */
type Projection = (body: JsonObject, chosen: string[]) => unknown

const listAt = (body: unknown, path: string): JsonObject[] => (valueAt(body, path) as JsonObject[] | undefined) ?? []
const named = (items: JsonObject[], chosen: string[]) =>
  Object.fromEntries(items.filter(item => chosen.includes(String(item['name']))).map(item => [item['name'], item]))

/** Discovery: only the named entries, keyed by name. */
const resources: Projection = (body, chosen) => ({
  kind: body['kind'],
  apiVersion: body['apiVersion'],
  groupVersion: body['groupVersion'],
  resources: named(listAt(body, 'resources'), chosen),
})
const groups: Projection = (body, chosen) => ({
  kind: body['kind'],
  apiVersion: body['apiVersion'],
  groups: named(listAt(body, 'groups'), chosen),
})
const paths: Projection = (body, chosen) => ({
  paths: ((body['paths'] as string[] | undefined) ?? []).filter(path => chosen.includes(path)).sort(),
})

/** Verbose health output: the shape of the lines, and the named checks. */
const health: Projection = (body, checks) => {
  const lines = String(body['text']).trim().split('\n')
  return {
    checkLines: lines.slice(0, -1).every(line => /^\[[+-]\]\S+ (ok|failed.*|excluded: ok)$/.test(line)),
    summary: /check (passed|failed)$/.test(lines.at(-1) ?? ''),
    lines: checks.map(check => lines.find(line => line.replace(/^\[.\]/, '').split(' ')[0] === check) ?? null),
  }
}

/** Keywords that a server may have in addition to the reference. */
const optionalKeywords = new Set([
  'description',
  'default',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'uniqueItems',
  'multipleOf',
  'nullable',
])
/** Which groups share a meta type depends on what else is served. */
const isShared = (key: string, value: unknown) =>
  key === 'x-kubernetes-group-version-kind' && Array.isArray(value) && value.length > 1
/** OpenAPI without prose, limits and defaults. */
function withoutProse(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutProse)
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).filter(([key, value]) => !optionalKeywords.has(key) && !isShared(key, value))
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties' && isObject(value))
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, property]) => [name, withoutProse(property)])),
        ]
      if (key === 'required' && Array.isArray(value)) return [key, [...value].sort()]
      return [key, withoutProse(value)]
    }),
  )
}
const openapi: Projection = (body, chosen) => ({
  definitions: Object.fromEntries(
    chosen.map(name => [name, withoutProse((body['definitions'] as JsonObject | undefined)?.[name] ?? null)]),
  ),
})
/** OpenAPI: operations, each named `method path`. */
const operation: Projection = (body, chosen) =>
  Object.fromEntries(
    chosen.map(name => {
      const [method = '', path = ''] = name.split(' ')
      const item = (body['paths'] as Record<string, JsonObject> | undefined)?.[path]
      const found = item?.[method] as JsonObject | undefined
      if (!found) return [name, null]
      const all = [...listAt(found, 'parameters'), ...listAt(item, 'parameters')]
      const parameters = all
        .filter(parameter => parameter['name'] !== 'fieldValidation')
        .map(
          parameter =>
            `${parameter['in']}:${parameter['name']}:${parameter['type'] || 'body'}${parameter['required'] ? ':required' : ''}`,
        )
      const { operationId, consumes, produces, responses } = found
      const action = found['x-kubernetes-action']
      const gvk = found['x-kubernetes-group-version-kind']
      const answers = Object.keys(responses as object).sort()
      return [name, { operationId, consumes, produces, action, gvk, parameters: parameters.sort(), responses: answers }]
    }),
  )

const openapi3: Projection = (body, chosen) =>
  openapi({ definitions: (body['components'] as JsonObject | undefined)?.['schemas'] }, chosen)
/** Media types of a request or response in OpenAPI v3, each with the type it refers to, or the keywords of its schema. */
function mediaTypesOf(part: unknown): JsonObject {
  const content = (isObject(part) ? part['content'] : undefined) as Record<string, { schema?: JsonObject }> | undefined
  return Object.fromEntries(
    Object.entries(content ?? {})
      .sort(([one], [other]) => byText(one, other))
      .map(([type, { schema = {} }]) => [type, schema['$ref'] ?? Object.keys(schema).sort().join()]),
  )
}
const operation3: Projection = (body, chosen) =>
  Object.fromEntries(
    chosen.map(name => {
      const [method = '', path = ''] = name.split(' ')
      const item = (body['paths'] as Record<string, JsonObject> | undefined)?.[path]
      const found = item?.[method] as JsonObject | undefined
      if (!found) return [name, null]
      const parameters = [...listAt(found, 'parameters'), ...listAt(item, 'parameters')].map(
        each => `${each['in']}:${each['name']}:${valueAt(each, 'schema.type')}${each['required'] ? ':required' : ''}`,
      )
      const { operationId, tags, requestBody } = found
      const responses = Object.entries(found['responses'] as JsonObject).sort(([one], [other]) => byText(one, other))
      return [
        name,
        {
          ...{ operationId, tags, action: found['x-kubernetes-action'], gvk: found['x-kubernetes-group-version-kind'] },
          ...{ request: mediaTypesOf(requestBody), requestRequired: valueAt(requestBody, 'required') },
          parameters: parameters.sort(),
          responses: Object.fromEntries(responses.map(([status, response]) => [status, mediaTypesOf(response)])),
        },
      ]
    }),
  )

const nameOf = (item: JsonObject) => String(valueAt(item, 'metadata.name'))
const items: Projection = (body, chosen) => ({
  kind: body['kind'],
  items: listAt(body, 'items').filter(item => chosen.includes(nameOf(item))),
})
const names: Projection = body => ({
  kind: body['kind'],
  apiVersion: body['apiVersion'],
  names: listAt(body, 'items').map(nameOf),
})
/** Conditions by type, without their texts and times. */
const conditions: Projection = (body, types) => ({
  conditions: Object.fromEntries(
    types.map(type => {
      const condition = listAt(body, 'status.conditions').find(entry => entry['type'] === type)
      if (!condition) return [type, null]
      const { status, reason, message, lastTransitionTime } = condition
      const isText = (value: unknown) => typeof value === 'string'
      return [type, { status, reason, message: isText(message), lastTransitionTime: isText(lastTransitionTime) }]
    }),
  ),
})
/** Items of a list by the named paths, in any order. */
const children: Projection = (body, paths) => ({
  kind: body['kind'],
  items: listAt(body, 'items')
    .map(item => pickPaths(item, paths))
    .sort((left, right) => byText(JSON.stringify(left), JSON.stringify(right))),
})
const exists: Projection = (body, paths) =>
  Object.fromEntries(paths.map(path => [path, valueAt(body, path) !== undefined]))
const keys: Projection = body => Object.keys(body).sort()

const bootstrapSecret = '0123456789abcdef'
const signaturePrefix = 'jws-kubeconfig-'
/** Detached signatures over `data.kubeconfig` made with a bootstrap token. */
const jws: Projection = body => {
  const data = body['data'] as Record<string, string>
  const payload = Buffer.from(data['kubeconfig'] ?? '').toString('base64url')
  const signatures = Object.entries(data).filter(([key]) => key.startsWith(signaturePrefix))
  return {
    keys: Object.keys(data),
    jws: signatures.map(([key, value]) => {
      const [head = '', detached, signature] = value.split('.')
      const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
      const secret = `${key.slice(signaturePrefix.length)}.${bootstrapSecret}`
      const expected = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
      return { alg, kid, detached: detached === '', valid: expected === signature }
    }),
  }
}

/** Header and claims of the token at a path. Times are seconds after its issue. */
const jwt = (body: JsonObject, path: string) => {
  const [head, claims] = String(valueAt(body, path))
    .split('.')
    .slice(0, 2)
    .map(part => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const { iat, nbf, exp } = claims
  const own = claims['kubernetes.io']
  if (own?.warnafter) own.warnafter -= iat
  return { alg: head.alg, kid: typeof head.kid, claims: { ...claims, iat: typeof iat, nbf: nbf - iat, exp: exp - iat } }
}

const halfHourMs = 1_800_000
/** What an issued certificate says; its validity in minutes, to the nearest half hour. */
const cert: Projection = body => {
  const encoded = valueAt(body, 'status.certificate')
  if (typeof encoded !== 'string' || encoded === '') return { status: body['status'] ?? null }
  const certificate = new X509Certificate(Buffer.from(encoded, 'base64'))
  return {
    conditions: valueAt(body, 'status.conditions'),
    subject: certificate.subject,
    issuer: certificate.issuer,
    san: certificate.subjectAltName ?? null,
    extKeyUsage: certificate.keyUsage ?? null,
    ca: certificate.ca,
    validMinutes: Math.round((Date.parse(certificate.validTo) - Date.now()) / halfHourMs) * 30,
  }
}

const projections: Readonly<Record<string, Projection>> = {
  resources,
  groups,
  paths,
  health,
  openapi,
  openapi3,
  operation,
  operation3,
  items,
  names,
  keys,
  conditions,
  children,
  exists,
  jws,
  cert,
}

/** Applies the projection of a step. The result is plain JSON without undefined fields. */
export function project(body: unknown, chosen: Readonly<Record<string, unknown>>): unknown {
  const [[name, argument] = ['', undefined]] = Object.entries(chosen)
  if (name === 'jwt') return JSON.parse(JSON.stringify(jwt(body as JsonObject, String(argument))))
  const projection = projections[name]
  if (!projection) throw new Error(`unknown projection ${name}`)
  return JSON.parse(
    JSON.stringify(projection(body as JsonObject, (Array.isArray(argument) ? argument : []) as string[])),
  )
}
