import { andThen, type Clock, type Vendor } from 'orch/sdk'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { notAcceptable } from '../contracts/protocol-errors.js'
import type { RequestContext } from '../contracts/request-context.js'
import { parseAccept } from '../representation/negotiate.js'
import type { Representations } from '../representation/representations.js'
import { timestamp } from '../schema/timestamps.js'

type Page = 'statusz' | 'flagz'
const kinds: Readonly<Record<Page, string>> = { statusz: 'Statusz', flagz: 'Flagz' }
const gates: Readonly<Record<Page, string>> = { statusz: 'ComponentStatusz', flagz: 'ComponentFlagz' }
/** The oldest is deprecated. */
const versions = ['v1beta1', 'v1alpha1']
const formats: Readonly<Record<string, 'json' | 'yaml'>> = { 'application/json': 'json', 'application/yaml': 'yaml' }
const texts = ['text/plain', 'text/*', '*/*']
/** Paths that the page does not list: the API itself, and documents about it. */
const apiFolders = new Set(['/api', '/apis', '/openid', '/openapi', '/.well-known'])

/** Flags whose value is a secret itself. Those that name a file with one are shown. */
const secretFlag = /(password|secret|token|key)$/
const hidden = '<hidden>'

interface StatusFields {
  readonly startTime: string
  readonly uptimeSeconds: number
  readonly goVersion: string
  readonly binaryVersion: string
  readonly emulationVersion: string
  readonly paths: readonly string[]
}
/** A page as fields of an object, and as text for people. */
interface PageContent {
  readonly fields: object
  readonly text: () => string
}

export interface DebugParts {
  readonly booted: Pick<BootedPlugins, 'declarations' | 'featureGates' | 'kernelOptions' | 'optionsOf' | 'vendor'>
  readonly clock: Clock
  readonly representations: Representations
}

/** The pages /statusz and /flagz: version, start time and flags of the server, as text for people and as objects. */
export class DebugPages {
  readonly paths: readonly string[]
  readonly #parts: DebugParts
  readonly #startedAt: number

  constructor(parts: DebugParts) {
    this.#parts = parts
    this.#startedAt = parts.clock.now()
    const pages = Object.keys(kinds) as Page[]
    this.paths = pages.filter(page => parts.booted.featureGates.isEnabled(gates[page])).map(page => `/${page}`)
  }

  serve(context: RequestContext, listedPaths: readonly string[]): boolean | Promise<boolean> {
    const { exchange, info } = context
    const page = info.path.slice(1) as Page
    const { vendor } = this.#parts.booted
    const asked = this.#negotiate(page, exchange.headers.accept)
    const headers = { 'Cache-Control': 'no-cache, private' }
    const { fields, text } = page === 'statusz' ? this.#status(listedPaths) : this.#flags()
    if (asked === 'text') {
      const body = text()
      exchange.send(200, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, `${heading(vendor, page)}${body}`)
      return true
    }
    const { version, mediaType } = asked
    const apiVersion = `${vendor.group('config')}/${version}`
    const object = { kind: kinds[page], apiVersion, metadata: { name: componentName(vendor) }, ...fields }
    if (version !== versions[0])
      context.warn(`This version of the ${page} endpoint is deprecated. Please use a newer version.`)
    const contentType = `${mediaType};g=${vendor.group('config')};v=${version};as=${kinds[page]}`
    const json = JSON.stringify(object)
    const body = formats[mediaType] === 'json' ? `${json}\n` : this.#parts.representations.print(json, 'yaml')
    return andThen(body, text => {
      exchange.send(200, { ...headers, 'Content-Type': contentType }, text)
      return true
    })
  }

  /** Text, unless the client requests an object by its kind. */
  #negotiate(page: Page, accept: string | undefined): 'text' | { version: string; mediaType: string } {
    if (!accept?.trim()) return 'text'
    const group = this.#parts.booted.vendor.group('config')
    for (const { type, parameters } of parseAccept(accept)) {
      const { g, v, as } = parameters
      if (as === undefined && texts.includes(type)) return 'text'
      if (as === kinds[page] && g === group && versions.includes(v ?? '') && formats[type] !== undefined)
        return { version: v!, mediaType: type }
    }
    throw notAcceptable('only the following media types are accepted: application/json, application/yaml, text/plain')
  }

  #status(listedPaths: readonly string[]): PageContent {
    const { clock, booted } = this.#parts
    const { major, minor, gitVersion } = booted.vendor.profile.version
    const fields = {
      startTime: timestamp(this.#startedAt),
      uptimeSeconds: Math.max(0, Math.floor((clock.now() - this.#startedAt) / 1000)),
      goVersion: process.version,
      binaryVersion: gitVersion.replace(/^v/, ''),
      emulationVersion: `${major}.${minor}`,
      paths: foldersOf(listedPaths),
    }
    return { fields, text: () => statusText(fields) }
  }

  /** Every flag with its value, which is hidden if the name of the flag indicates a secret. */
  #flags(): PageContent {
    const { declarations, kernelOptions, optionsOf } = this.#parts.booted
    const values: Readonly<Record<string, unknown>> = { ...kernelOptions }
    const shownValue = (key: string, plugin: string) => textOf(values[key] ?? optionsOf(plugin)[key])
    const flags = Object.fromEntries(
      declarations
        .map(({ flag, key, plugin }) => [flag, secretFlag.test(flag) ? hidden : shownValue(key, plugin)] as const)
        .sort(([left], [right]) => (left < right ? -1 : 1)),
    )
    return { fields: { flags }, text: () => linesOf(flags) }
  }
}

const componentName = ({ profile }: Vendor) => `${profile.objectPrefix}-apiserver`
const heading = (vendor: Vendor, page: Page) =>
  `\n${componentName(vendor)} ${page}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.\n`

function statusText(status: StatusFields): string {
  const { startTime, uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths } = status
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const up = `${Math.floor(uptimeSeconds / 3600)} hr ${twoDigits(Math.floor(uptimeSeconds / 60) % 60)} min ${twoDigits(uptimeSeconds % 60)} sec`
  const lines = [
    `Started: ${startTime}`,
    `Up: ${up}`,
    `Go version: ${goVersion}`,
    `Binary version: ${binaryVersion}`,
    `Emulation version: ${emulationVersion}`,
    `Paths: ${paths.join(' ')}`,
  ]
  return `\n${lines.join('\n')}\n`
}
const linesOf = (flags: Readonly<Record<string, string>>) =>
  Object.entries(flags)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([key, each]) => `${key}=${textOf(each)}`)
    .join(',')
}

/** The first segments of paths, in alphabetical order. */
const foldersOf = (paths: readonly string[]): string[] =>
  [...new Set(paths.map(path => `/${path.split('/')[1] ?? ''}`))]
    .filter(folder => folder !== '/' && !apiFolders.has(folder))
    .sort()
