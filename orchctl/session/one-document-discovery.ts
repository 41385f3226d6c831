import { Vendor, vendorProfiles } from 'orch/sdk'
import type { Transport, TransportResponse } from 'orch/sdk/client'

const listKind = 'APIGroupDiscoveryList'

/** The fields of aggregated discovery that are used here. */
interface GroupDiscovery {
  readonly metadata?: { readonly name?: string }
  readonly versions?: readonly {
    readonly version: string
    readonly freshness?: string
    readonly resources?: readonly ResourceDiscovery[]
  }[]
}
interface ResourceDiscovery {
  readonly resource: string
  readonly responseKind?: { readonly kind?: string }
  readonly scope?: string
  readonly singularResource?: string
  readonly verbs?: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly { readonly subresource: string }[]
}

/**
 * Discovery with two requests instead of one for every version of every group: requests for `/api` and `/apis` prefer aggregated
 * discovery, and later requests for single versions are answered from it. Servers without it are queried as usual.
 */
export function oneDocumentDiscovery(transport: Transport): Transport {
  const known = new Map<string, object>()
  // Servers ignore media types that they do not know, so those of all vendors are requested.
  const groups = Object.values(vendorProfiles).map(profile => new Vendor(profile).group('apidiscovery'))
  const forms = groups.flatMap(group =>
    ['v2', 'v2beta1'].map(version => `application/json;g=${group};v=${version};as=${listKind}`),
  )
  const accept = [...forms, 'application/json'].join(',')
  return async request => {
    const made = known.get(request.path)
    if (made) return answer(made)
    if (request.path !== '/api' && request.path !== '/apis') return transport(request)
    const response = await transport({ ...request, headers: { ...request.headers, accept } })
    if (!String(response.headers['content-type'] ?? '').includes(listKind)) return response
    const document: { readonly items?: readonly GroupDiscovery[] } = JSON.parse(await textOf(response))
    const { items = [] } = document
    for (const { metadata, versions = [] } of items)
      for (const { version, freshness, resources } of versions) {
        const path = request.path === '/api' ? `/api/${version}` : `/apis/${metadata?.name}/${version}`
        // The list of an unavailable extension server may be stale; a request for its version reports that it is unavailable.
        if (freshness !== 'Stale' && resources) known.set(path, { resources: resources.flatMap(listed) })
      }
    return answer(
      request.path === '/api'
        ? { versions: items.flatMap(({ versions = [] }) => versions.map(({ version }) => version)) }
        : { groups: items.map(group => ({ name: group.metadata?.name, versions: group.versions ?? [] })) },
    )
  }
}

/** A type and its subresources, as in the list of one version. */
function listed(one: ResourceDiscovery): object[] {
  const { resource, responseKind, scope, singularResource, verbs, shortNames, categories, subresources = [] } = one
  const kind = responseKind?.kind
  const type = { name: resource, kind, singularName: singularResource, verbs, shortNames, categories }
  const namespaced = scope === 'Namespaced'
  return [
    ...(kind === undefined || kind === '' ? [] : [{ ...type, namespaced }]),
    ...subresources.map(({ subresource }) => ({ name: `${resource}/${subresource}`, kind: '', namespaced })),
  ]
}

async function textOf({ body }: TransportResponse): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const answer = (document: object): TransportResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield Buffer.from(JSON.stringify(document))
  })(),
})
