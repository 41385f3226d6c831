import type { Pod } from 'orch/sdk/core'

export interface ImageReviewSpec {
  readonly containers: readonly { readonly image?: string }[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly namespace: string
}

/** The review of a Pod: the images of this request, and the annotations for the backend. */
export function reviewSpec(
  { metadata, spec }: Pod,
  subresource: string,
  namespace: string,
  annotationMark: string,
): ImageReviewSpec {
  const { containers, initContainers, ephemeralContainers } = spec ?? {}
  const brought = (subresource === '' ? [containers, initContainers] : [ephemeralContainers]).flatMap(
    list => list ?? [],
  )
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) => key.includes(annotationMark))
  return {
    containers: brought.map(({ image }) => (image ? { image } : {})),
    ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
    namespace,
  }
}
