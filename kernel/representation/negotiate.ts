import type { Vendor } from 'orch/sdk'
import { notAcceptable } from '../contracts/protocol-errors.js'
import type { MediaFormat, Representation } from '../contracts/representation.js'

const metaVersions = new Set(['v1', 'v1beta1'])
const views = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])

/** The number of distinct Accept headers that are cached; real clients send a handful. */
const maxCached = 500

/** Chooses representations by Accept header. Results are cached by header. */
export class Negotiator {
  readonly #metaGroup: string
  readonly #protobufType: string
  readonly #cache = new Map<string, Representation | 'none' | 'badView'>()
  readonly json: Representation = {
    format: 'json',
    as: 'object',
    metaVersion: 'v1',
    contentType: 'application/json',
    fallback: undefined,
  }

  constructor(vendor: Vendor) {
    this.#metaGroup = vendor.metaGroup
    this.#protobufType = vendor.profile.protobufMediaType
  }

  /** The representation for an Accept header, or undefined when nothing in it can be served. */
  tryNegotiate(accept: string | undefined): Representation | undefined {
    const found = this.#lookUp(accept)
    return typeof found === 'string' ? undefined : found
  }

  /** Whether an Accept header contains a media type that is served, in any view. */
  accepts(accept: string | undefined): boolean {
    return this.#lookUp(accept) !== 'none'
  }

  /** The representation; throws a 406, which has no details for custom resources. */
  negotiate(accept: string | undefined, withDetails = true): Representation {
    const found = this.#lookUp(accept)
    if (typeof found !== 'string') return found
    const offered = ['application/json', 'application/yaml', this.#protobufType].join(', ')
    const details = withDetails && found === 'none' ? {} : undefined
    throw notAcceptable(`only the following media types are accepted: ${offered}`, details)
  }

  /** The same for responses without views, such as discovery. With `hasMetadata` (reviews, actions) the metadata can be requested alone. */
  negotiatePlain(accept: string | undefined, hasMetadata = false, errorsHaveDetails = true): Representation {
    const wanted = this.negotiate(accept, errorsHaveDetails)
    const isServed = wanted.as === 'object' || (hasMetadata && wanted.as !== 'Table')
    const plain = isServed ? wanted : wanted.plain
    if (!plain) throw notAcceptable(`this resource cannot be returned as a ${wanted.as}`)
    return plain
  }

  #lookUp(accept: string | undefined): Representation | 'none' | 'badView' {
    if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return this.json
    const known = this.#cache.get(accept)
    if (known) return known
    const found = this.#choose(accept)
    if (this.#cache.size >= maxCached) this.#cache.clear()
    this.#cache.set(accept, found)
    return found
  }

  #choose(accept: string): Representation | 'none' | 'badView' {
    let sawBadView = false
    const acceptable: Representation[] = []
    for (const clause of parseAccept(accept)) {
      const format = formatOf(clause.type, this.#protobufType)
      if (!format) continue
      const { as } = clause.parameters
      if (!this.#isServed(format, clause.parameters)) {
        sawBadView = true
        continue
      }
      acceptable.push({
        format,
        as: (as as Representation['as'] | undefined) ?? 'object',
        metaVersion: clause.parameters.v ?? 'v1',
        contentType: mediaTypeFor(format, this.#protobufType),
        ...(clause.parameters.pretty === '1' ? { isPretty: true } : {}),
        fallback: undefined,
      })
    }
    const [first, ...others] = acceptable
    if (!first) return sawBadView ? 'badView' : 'none'
    return {
      ...first,
      fallback: others.find(other => other.format !== 'protobuf' && other.as === first.as),
      plain: acceptable.find(each => each.as === 'object'),
    }
  }

  #isServed(format: MediaFormat, { as, g, v, stream, sv }: Parameters): boolean {
    // Watch streams are not served as YAML, and a Table has no Protobuf form.
    if (stream && (stream !== 'watch' || format === 'yaml')) return false
    if (sv && sv !== 'v1') return false
    if (as === undefined && g === undefined && v === undefined) return true
    if (as === 'Table' && format === 'protobuf') return false
    return views.has(as ?? '') && g === this.#metaGroup && metaVersions.has(v ?? '')
  }
}

/** The format of a media type in an Accept header. */
export function formatOf(type: string, protobufType: string): MediaFormat | undefined {
  if (type === 'application/json' || type === '*/*') return 'json'
  if (type === 'application/yaml') return 'yaml'
  return type === protobufType ? 'protobuf' : undefined
}

/** The media type of a format. */
export const mediaTypeFor = (format: MediaFormat, protobufType: string): string =>
  format === 'protobuf' ? protobufType : `application/${format}`

/** The known parameters of a media type; others are ignored. */
export interface Parameters {
  as?: string
  g?: string
  v?: string
  stream?: string
  sv?: string
  pretty?: string
  q?: string
}

export interface AcceptClause {
  readonly type: string
  readonly parameters: Parameters
  readonly quality: number
}

/** The clauses of an Accept header by descending quality, ties in their order. */
export function parseAccept(header: string): AcceptClause[] {
  return (
    header
      .split(',')
      .map(text => {
        const [type = '', ...rest] = text.split(';').map(part => part.trim())
        const parameters: Record<string, string> & Parameters = {}
        for (const part of rest) {
          const eq = part.indexOf('=')
          if (eq > 0) parameters[part.slice(0, eq).trim()] = part.slice(eq + 1).trim()
        }
        return { type: type.toLowerCase(), parameters, quality: Number(parameters.q ?? 1) || 0 }
      })
      // As in the reference, quality 0 puts a type last but does not exclude it.
      .filter(clause => clause.type !== '')
      .sort((left, right) => right.quality - left.quality)
  )
}
