import { type CelFunc, CelScalar, celFunc, celMethod, mapType } from '@bufbuild/cel'
import { contentOf, opaque } from './open-values.js'

const { STRING, BOOL, DYN } = CelScalar
const Map_ = mapType(DYN, DYN)

/** A parsed image reference. */
class ImageReference {
  readonly registry: string
  readonly repository: string
  /** Empty if there is a digest, which takes precedence. */
  readonly tag: string
  readonly digest: string
  constructor(registry: string, repository: string, tag: string, digest: string) {
    this.registry = registry
    this.repository = repository
    this.tag = tag
    this.digest = digest
  }
  get identifier(): string {
    return this.digest || this.tag
  }
}

const defaultRegistry = 'index.docker.io'
const registryName = /^([\w.-]+|\[[0-9a-f:]+\])(:\d+)?$/i
const repositoryName = /^[a-z0-9_.-]+(\/[a-z0-9_.-]+)*$/
const maxRepositoryLength = 255
const tagName = /^[\w.-]{1,128}$/
const digestName = /^sha256:[0-9a-f]{64}$/

function parse(text: string): ImageReference {
  const wrong = new Error(`could not parse reference: ${text}`)
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

function isImage(text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

function referenceOf(value: unknown, name: string): ImageReference {
  const reference = contentOf(value, ImageReference)
  if (!reference) throw new Error(`no such overload: ${name}`)
  return reference
}
export const imageParts = ['registry', 'repository', 'tag', 'digest', 'identifier'] as const

/** Image references: `image(object.spec.image).registry() == 'registry.example.com'`. */
export const imageFunctions: CelFunc[] = [
  celFunc('image', [STRING], DYN, text => {
    const reference = parse(text)
    return opaque(reference, new Map(imageParts.map(part => [part, reference[part]]))) as never
  }),
  celFunc('isImage', [STRING], BOOL, isImage),
  celMethod('containsDigest', Map_, [], BOOL, function (this: unknown) {
    return referenceOf(this, 'containsDigest').digest !== ''
  }),
  ...imageParts.map(part =>
    celMethod(part, Map_, [], STRING, function (this: unknown) {
      return referenceOf(this, part)[part]
    }),
  ),
]
