import { isObject, type JsonObject, type Variables, valueAt } from '../golden/json-paths.js'
import type { Observation } from '../golden/observation.js'
import type { Expectation, Scenario } from '../golden/scenario.js'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const anyUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const webToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/
const age = /^(?:\d+[ydhms])+$|^<unknown>$|^<invalid>$/
const generated = /^(kube-api-access-|.*-token-)[a-z0-9]{5}$/
/** What is appended to `generateName`. */
const suffix = /^[a-z0-9]{5}$/
const suffixLength = 5
/** A signed certificate, in base64: each server has its own serial number. */
const certificateStart = Buffer.from('-----BEGIN CERTIFICATE').toString('base64').slice(0, -2)
/** Of a longer `generateName` the rest is cut off. */
const longestPrefix = 58
const address = /^\d+\.\d+\.\d+\.\d+$/
/** Values that a server allocates unless the client sets them. */
const chosen = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort'])
const hourSeconds = 3600

const firstNodePort = 30_000
const lastNodePort = 32_767

/** Turns a response into an expectation: values that each server chooses become wildcards, as in the recorded conversations. */
export class Expectations {
  readonly #run: string
  /** Texts that the client wrote are compared, even if they look like something that the server chose. */
  readonly #authored = new Set<unknown>()
  /** What the client wants names to begin with. */
  readonly #prefixes = new Set<string>()
  readonly #symbols = new Map<string, string>()
  readonly #counts = { uid: 0, rv: 0 }
  #isProtobuf = false
  #isProtobufStatus = false
  #isList = false

  constructor(scenario: Scenario, variables: Variables) {
    this.#run = variables['run'] ?? ''
    const note = (value: unknown) => {
      if (typeof value === 'string') this.#authored.add(value.replaceAll('{{run}}', this.#run))
      else if (typeof value === 'number') this.#authored.add(value)
      else if (typeof value === 'object' && value !== null) {
        const prefix = (value as JsonObject)['generateName']
        if (typeof prefix === 'string' && prefix !== '')
          this.#prefixes.add(prefix.replaceAll('{{run}}', this.#run).slice(0, longestPrefix))
        Object.values(value).forEach(note)
      }
    }
    for (const { body, bodyText } of scenario.steps) {
      note(body)
      for (const [text] of bodyText?.matchAll(/[^\s"',:]+(?::[^\s"',]+)*/g) ?? []) note(text)
      for (const [, prefix] of bodyText?.matchAll(/\bgenerateName: (\S+)$/gm) ?? []) note({ generateName: prefix })
    }
  }

  of({ seen, body }: Observation): Expectation {
    const { body: seenBody, ...head } = seen
    this.#isProtobuf = isObject(seenBody) && seenBody['protobuf'] !== undefined
    this.#isProtobufStatus = valueAt(seenBody, 'protobuf.typeMeta.kind') === 'Status'
    this.#isList = isObject(body) && /List$|^Table$/.test(String(body['kind']))
    return seenBody === undefined ? head : { ...head, body: this.#value(seenBody, '', undefined, '') }
  }

  #value(value: unknown, field: string, holder: JsonObject | undefined, at: string): unknown {
    if (typeof value === 'string') return this.#text(value, field, holder, at)
    if (typeof value === 'number') return this.#number(value, field)
    if (Array.isArray(value)) return this.#list(value, field, at)
    if (!isObject(value)) return value
    const isFailure = value['kind'] === 'Status' && value['status'] === 'Failure'
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        this.#withRun(name),
        this.#prose(name, item, isFailure, `${at}.${name}`) ?? this.#value(item, name, value, `${at}.${name}`),
      ]),
    )
  }

  #list(list: unknown[], field: string, at: string): unknown {
    if (this.#isProtobuf && list.length === 2) {
      const [number, item] = list
      // Versions, ownership and messages, which cannot be identified by name.
      if ((number === 6 || number === 2) && typeof item === 'string' && /^\d+$/.test(item) && !this.#authored.has(item))
        return [number, '<rv>']
      if (number === 17 && isObject(item) && JSON.stringify(item).includes('FieldsV1')) return [17, '<any>']
      if (number === 3 && /^\.protobuf\.raw\.pb\[\d+\]$/.test(at) && this.#isProtobufStatus) return [3, '<text>']
      // Causes cannot be sorted here: those of JSON are compared.
      if (number === 5 && this.#isProtobufStatus) return [5, '<any>']
      if (typeof item === 'string' && address.test(item) && !this.#authored.has(item)) return [number, '<text>']
      if (typeof item === 'string' && this.#isMadeUp(item)) return [number, '<text>']
    }
    return list.map((item, index) => this.#value(item, this.#isProtobuf ? '' : field, undefined, `${at}[${index}]`))
  }

  /** Free text is not compared, except what the client wrote. */
  #prose(name: string, item: unknown, isFailure: boolean, at: string): string | undefined {
    if (typeof item !== 'string') return name === 'serverAddressByClientCIDRs' ? '<any>' : undefined
    if (name === 'description' && /columnDefinitions\[\d+\]/.test(at)) return item === '' ? '<string>' : '<text>'
    if (name === 'kubernetes.io/limit-ranger') return '<text>'
    if (name === 'text' && at === '.text' && item.length > 40) return '<text>'
    const isProse = isFailure || ['message', 'error', 'evaluationError'].includes(name)
    if (!isProse || item === '' || (name !== 'message' && name !== 'error' && name !== 'evaluationError'))
      return undefined
    return isFailure || !this.#authored.has(item) ? '<text>' : undefined
  }

  #number(value: number, field: string): unknown {
    if (this.#authored.has(value)) return value
    if (chosen.has(field) && value !== 0) return '<number>'
    // Node ports cannot be identified by name there.
    if (this.#isProtobuf && value >= firstNodePort && value <= lastNodePort) return '<number>'
    return this.#isProtobuf && value > 1.5e9 && Math.abs(value - Date.now() / 1000) < hourSeconds ? '<unixtime>' : value
  }

  #text(value: string, field: string, holder: JsonObject | undefined, at: string): string {
    const isAuthored = this.#authored.has(value)
    if (field === 'resourceVersion') {
      if (value === '' || value === '0') return value
      return this.#isList && at === '.metadata.resourceVersion' ? '<rv>' : this.#symbol('rv', value)
    }
    if (field === 'continue' && value !== '') return '<continue>'
    if (field === 'certificate' && !isAuthored && value.startsWith(certificateStart)) return '<text>'
    if (field === 'storageVersionHash') return '<text>'
    const prefix = holder?.['generateName']
    if (
      field === 'name' &&
      typeof prefix === 'string' &&
      prefix !== '' &&
      value.startsWith(prefix.slice(0, longestPrefix)) &&
      suffix.test(value.slice(Math.min(prefix.length, longestPrefix)))
    )
      return `<gen:${this.#withRun(prefix.slice(0, longestPrefix))}>`
    if (!isAuthored) {
      if (uuid.test(value)) return this.#symbol('uid', value)
      if (time.test(value)) return '<time>'
      if (microTime.test(value)) return '<microtime>'
      if (webToken.test(value)) return '<jwt>'
      if (value.startsWith('-----BEGIN')) return '<pem>'
      if (value.startsWith('JTI=')) return '<contains:JTI=>'
      if (chosen.has(field) && value !== '' && value !== 'None') return '<text>'
      const [, start] = generated.exec(value) ?? []
      if (start !== undefined) return `<gen:${this.#withRun(start)}>`
    }
    if (at.includes('.cells') && age.test(value)) return '<age>'
    // Generated names in errors, tables and labels.
    if (this.#isMadeUp(value)) return `<gen:${this.#withRun(value.slice(0, -suffixLength))}>`
    if (at.includes('.cells') && anyUuid.test(value)) return '<text>'
    if (at.includes('.cells') && /^\d+\.\d+\.\d+\.\d+$|:\d{5}\//.test(value) && !isAuthored) return '<text>'
    return this.#withRun(value)
  }

  /** Whether it is a prefix of the client with a generated suffix. */
  #isMadeUp(name: string): boolean {
    const prefix = name.slice(0, -suffixLength)
    const isPrefix = this.#prefixes.has(prefix) || (prefix.endsWith('-') && this.#authored.has(prefix))
    return suffix.test(name.slice(-suffixLength)) && isPrefix
  }

  #symbol(space: 'uid' | 'rv', value: string): string {
    const key = space + value
    const known = this.#symbols.get(key)
    if (known !== undefined) return known
    const symbol = `<${space}:${++this.#counts[space]}>`
    this.#symbols.set(key, symbol)
    return symbol
  }

  #withRun(text: string): string {
    return text.replaceAll(this.#run, '{{run}}')
  }
}
