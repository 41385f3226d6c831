import { isDeepStrictEqual } from 'node:util'
import { ApiError, type ApiObject, type Vendor } from 'orch/sdk'
import { type Client, type ResourceClient, unlessLost } from 'orch/sdk/client'

const namespace = 'default'

type Slice = ApiObject & { readonly addressType?: string; readonly endpoints?: unknown; readonly ports?: unknown }

/**
 * Creates or corrects the EndpointSlice of this server's Service, if slices are served. The Endpoints of that Service
 * are not mirrored, so the slice has the name of the Service and only the server manages it.
 */
export async function ensureSlice(
  client: Client,
  vendor: Vendor,
  address: { readonly ip: string; readonly port: number } | undefined,
): Promise<void> {
  const group = vendor.group('discovery')
  const slices = client.resource<Slice>({ group, version: 'v1', resource: 'endpointslices' }).in(namespace)
  const name = vendor.profile.apiService
  const found = await findWhereServed(slices, name)
  if (address === undefined || found === 'not served') return
  const labels = { [vendor.qualify('service-name')]: name }
  const wanted = {
    addressType: address.ip.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address.ip], conditions: { ready: true } }],
    ports: [{ name: 'https', port: address.port, protocol: 'TCP' }],
  }
  if (found && isDeepStrictEqual(stateOf(found), { ...wanted, labels })) return
  const slice: Slice = {
    apiVersion: `${group}/v1`,
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels },
    ...wanted,
  }
  if (found?.addressType === wanted.addressType) {
    const { resourceVersion } = found.metadata
    await unlessLost(slices.update({ ...slice, metadata: { ...slice.metadata, resourceVersion } }), 'Conflict')
    return
  }
  // The type of addresses cannot be changed.
  if (found) await unlessLost(slices.delete(name), 'NotFound')
  await unlessLost(slices.create(slice), 'AlreadyExists')
}

async function findWhereServed(slices: ResourceClient<Slice>, name: string): Promise<Slice | undefined | 'not served'> {
  try {
    return await slices.find(name)
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return 'not served'
    throw error
  }
}

const stateOf = ({ addressType, endpoints, ports, metadata }: Slice) => ({
  addressType,
  endpoints,
  ports,
  labels: metadata.labels,
})
