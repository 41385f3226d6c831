import { ConfigurationReader } from 'orch/sdk/files'
import { isCovered, parsePattern, type ResourcePattern } from './resource-patterns.js'

/** A provider as the file describes it. */
export type ProviderConfiguration =
  | { readonly kind: 'identity' }
  | { readonly kind: 'aesgcm' | 'aescbc' | 'secretbox'; readonly keys: readonly NamedSecret[] }
  | { readonly kind: 'kms'; readonly name: string; readonly endpoint: string; readonly timeoutMs: number }
export interface NamedSecret {
  readonly name: string
  readonly secret: Buffer
}
/** Some resources and their providers: the first provider writes, all read. */
export interface ResourceConfiguration {
  readonly resources: readonly ResourcePattern[]
  readonly providers: readonly ProviderConfiguration[]
}

const aesSizes = [16, 24, 32]
const keySizes = { aesgcm: aesSizes, aescbc: aesSizes, secretbox: [32] }
const defaultKmsTimeout = '3s'
/** Names are part of every stored value, between colons and inside a JSON string. */
const nameInValues = /^[^:"\\\x00-\x1f\x7f-\uffff]+$/

/** Reads an EncryptionConfiguration. Throws one error with all problems. */
export function readEncryptionConfiguration(text: string, kinds: readonly string[]): readonly ResourceConfiguration[] {
  const reader = new ConfigurationReader()
  const { resources } = reader.record(ConfigurationReader.fieldsOf(text, kinds), '', ['resources', 'metadata'])
  const read = reader.list(resources, 'resources').map((each, at) => readEntry(reader, each, `resources[${at}]`))
  reader.finish()
  return read
}

function readEntry(reader: ConfigurationReader, value: unknown, place: string): ResourceConfiguration {
  const { resources, providers } = reader.record(value, place, ['resources', 'providers'])
  const patterns: ResourcePattern[] = []
  for (const [at, text] of reader.list(resources, `${place}.resources`).entries()) {
    try {
      const pattern = parsePattern(text)
      const covering = patterns.find(each => isCovered(each, pattern) || isCovered(pattern, each))
      if (covering) reader.refuse(`${place}.resources[${at}]`, `overlaps '${covering.text}'`)
      patterns.push(pattern)
    } catch (error) {
      reader.refuse(`${place}.resources[${at}]`, (error as Error).message)
    }
  }
  const read = reader
    .list(providers, `${place}.providers`)
    .flatMap((each, at) => readProvider(reader, each, `${place}.providers[${at}]`) ?? [])
  refuseRepeats(reader, read, `${place}.providers`)
  return { resources: patterns, providers: read }
}

/** A value names its key, so two keys must not have the same name. */
function refuseRepeats(reader: ConfigurationReader, providers: readonly ProviderConfiguration[], place: string): void {
  const seen = new Set<string>()
  for (const provider of providers) {
    const names = 'keys' in provider ? provider.keys.map(({ name }) => name) : ['name' in provider ? provider.name : '']
    for (const name of names) {
      const id = `${provider.kind} ${name}`
      if (seen.has(id))
        reader.refuse(place, name === '' ? `name ${id}twice` : `name the ${provider.kind} key "${name}" twice`)
      seen.add(id)
    }
  }
}

function readProvider(reader: ConfigurationReader, value: unknown, place: string): ProviderConfiguration | undefined {
  const entries = Object.entries(reader.record(value, place))
  const [kind, content] = entries[0] ?? []
  if (entries.length !== 1)
    return reader.refuse(place, 'must be exactly one of aesgcm, aescbc, secretbox, kms, identity')
  switch (kind) {
    case 'identity':
      return { kind }
    case 'aesgcm':
    case 'aescbc':
    case 'secretbox':
      return { kind, keys: readKeys(reader, content, keySizes[kind], `${place}.${kind}`) }
    case 'kms':
      return readKms(reader, content, `${place}.kms`)
    default:
      return reader.refuse(`${place}.${kind}`, 'is not known: must be aesgcm, aescbc, secretbox, kms or identity')
  }
}

function readKeys(reader: ConfigurationReader, value: unknown, sizes: readonly number[], place: string): NamedSecret[] {
  const { keys } = reader.record(value, place, ['keys'])
  return reader.list(keys, `${place}.keys`).map((each, at) => {
    const here = `${place}.keys[${at}]`
    const { name, secret } = reader.record(each, here, ['name', 'secret'])
    const bytes = Buffer.from(typeof secret === 'string' ? secret : '', 'base64')
    const isWhole = typeof secret === 'string' && bytes.toString('base64') === secret.trim()
    if (!isWhole || !sizes.includes(bytes.length))
      reader.refuse(
        `${here}.secret`,
        `must be ${sizes.join(' or ')} bytes in base64${isWhole ? `, not ${bytes.length}` : ''}`,
      )
    return { name: readName(reader, name, `${here}.name`), secret: bytes }
  })
}

function readKms(reader: ConfigurationReader, value: unknown, place: string): ProviderConfiguration {
  const known = ['apiVersion', 'name', 'endpoint', 'timeout', 'cachesize']
  const {
    apiVersion = 'v1',
    name,
    endpoint,
    timeout = defaultKmsTimeout,
    cachesize,
  } = reader.record(value, place, known)
  if (apiVersion !== 'v2')
    reader.refuse(`${place}.apiVersion`, `must be v2, not ${apiVersion}: version 1 is not supported`)
  if (cachesize !== undefined) reader.refuse(`${place}.cachesize`, 'has no meaning in v2')
  const isSocket = typeof endpoint === 'string' && /^unix:\/\/\/.+/.test(endpoint)
  if (!isSocket) reader.refuse(`${place}.endpoint`, 'must be a Unix socket, such as unix:///run/kms.sock')
  return {
    kind: 'kms',
    name: readName(reader, name, `${place}.name`),
    endpoint: isSocket ? endpoint : '',
    timeoutMs: reader.duration(timeout, `${place}.timeout`),
  }
}

function readName(reader: ConfigurationReader, value: unknown, place: string): string {
  if (typeof value === 'string' && nameInValues.test(value)) return value
  reader.refuse(place, 'must be a name of plain characters without colons and quotes')
  return ''
}
