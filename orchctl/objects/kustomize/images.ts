import type { ApiObject } from 'orch/sdk'
import { type Container, podSpecOf, podSpecPath, withValueAt } from '../pod-template.js'

/** An entry of `images`: the replacement of an image. */
export interface ImageChange {
  readonly name: string
  readonly newName?: string
  readonly newTag?: string
  readonly digest?: string
}

/** Splits an image into its name and its tag or digest: `:1.2`, `@sha256:…` or both. A port of the registry is part of the name. */
function nameAndTag(image: string): [name: string, tag: string] {
  const digestAt = image.indexOf('@')
  const end = digestAt < 0 ? image.length : digestAt
  const colonAt = image.lastIndexOf(':', end - 1)
  const nameEnd = colonAt > image.lastIndexOf('/', end) ? colonAt : end
  return [image.slice(0, nameEnd), image.slice(nameEnd)]
}

/** The object with other images in its containers. */
export function withImages(object: ApiObject, images: readonly ImageChange[]): ApiObject {
  const spec = podSpecOf(object)
  if (spec === undefined || images.length === 0) return object
  const renamed = (container: Container): Container => {
    const [name, tag] = nameAndTag(container.image ?? '')
    const change = images.find(one => one.name === name)
    if (change === undefined) return container
    const ending = change.digest ? `@${change.digest}` : change.newTag === undefined ? tag : `:${change.newTag}`
    return { ...container, image: `${change.newName ?? name}${ending}` }
  }
  return withValueAt(object, podSpecPath(object) ?? [], {
    ...spec,
    containers: spec.containers.map(renamed),
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(renamed) } : {}),
  })
}
