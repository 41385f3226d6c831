import { Failure, func, type Library, method, OpaqueValue, structType, type Work } from '../../cel/index.js'
import { parses } from './parses.js'

const typeName = 'kubernetes.Image'

/** A parsed image reference. */
class ImageReference extends OpaqueValue {
  readonly typeName = typeName
  readonly registry: string
  readonly repository: string
  /** Empty if there is a digest, which takes precedence. */
  readonly tag: string
  readonly digest: string
  constructor(registry: string, repository: string, tag: string, digest: string) {
    super()
    this.registry = registry
    this.repository = repository
    this.tag = tag
    this.digest = digest
  }
  get identifier(): string {
    return this.digest || this.tag
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof ImageReference && parts.every(part => this[part] === other[part])
  }
}
const parts = ['registry', 'repository', 'tag', 'digest', 'identifier'] as const

const defaultRegistry = 'index.docker.io'
const registryName = /^([\w.-]+|\[[0-9a-f:]+\])(:\d+)?$/i
const repositoryName = /^[a-z0-9_.-]+(\/[a-z0-9_.-]+)*$/
const maxRepositoryLength = 255
const tagName = /^[\w.-]{1,128}$/
const digestName = /^sha256:[0-9a-f]{64}$/
/** Longer texts are not references. */
const maxLength = 1024
const stepsToParse = 400

function parse(work: Work, text: string): ImageReference {
  work.steps(stepsToParse)
  const wrong = new Failure(`could not parse reference: ${text.slice(0, maxLength)}`)
  if (text.length > maxLength) throw wrong
  const [named = '', digest = '', ...more] = text.split('@')
  if (more.length > 0 || (text.includes('@') && !digestName.test(digest))) throw wrong
  // A colon before the last slash belongs to the port of the registry.
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const [base, tag] = colon < 0 ? [named, undefined] : [named.slice(0, colon), named.slice(colon + 1)]
  if (tag !== undefined && !tagName.test(tag)) throw wrong
  const slash = base.indexOf('/')
  const start = base.slice(0, Math.max(0, slash))
  const hasRegistry = /[.:]/.test(start) || start === 'localhost'
  const registry = !hasRegistry || start === 'docker.io' ? defaultRegistry : start
  const path = hasRegistry ? base.slice(slash + 1) : base
  if (!registryName.test(registry) || !repositoryName.test(path)) throw wrong
  if (path.length < 2 || path.length > maxRepositoryLength) throw wrong
  const repository = registry === defaultRegistry && !path.includes('/') ? `library/${path}` : path
  return new ImageReference(registry, repository, digest === '' ? (tag ?? 'latest') : '', digest)
}

/** Image references: `image(object.spec.image).registry() == 'registry.example.com'`. */
export const images: Library = {
  name: 'images',
  since: 37,
  types: { image: structType(typeName, new Map()) },
  functions: {
    image: { string_to_image: func('string:image', parse) },
    isImage: {
      is_image_string: func('string:bool', (work, text: string) => parses(() => parse(work, text))),
    },
    containsDigest: {
      image_contains_digest: method('image:bool', (_, { digest }: ImageReference) => digest !== ''),
    },
    ...Object.fromEntries(
      parts.map(part => [
        part,
        { [`image_${part}`]: method('image:string', (_, reference: ImageReference) => reference[part]) },
      ]),
    ),
  },
}
