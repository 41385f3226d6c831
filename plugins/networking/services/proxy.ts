import { type ApiObject, type ConnectSubresource, services as kernel, serviceUnavailable } from 'orch/sdk'
import { type Endpoints, proxyTo, type Service, splitProxyName, unreachableService } from 'orch/sdk/core'

const needs = { client: kernel.client }

/** Leads to what is behind a Service, as far as that can be known without reaching it. */
export const proxy: ConnectSubresource<typeof needs> = {
  ...proxyTo('Service'),
  needs,
  async connect(request, { client }) {
    const { name, port } = splitProxyName('service', request.name)
    const portName = nameOfPort(request.target as ApiObject & Service, port)
    const endpoints = client.resource<ApiObject & Endpoints>({ group: '', version: 'v1', resource: 'endpoints' })
    const { subsets = [] } = await endpoints.in(request.namespace).get(name)
    const isThere = subsets.some(
      ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some(each => (each.name ?? '') === portName),
    )
    if (!isThere) throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(request.name)}`)
    throw unreachableService(`service ${JSON.stringify(name)}`)
  },
}

/** The name under which endpoints know the port, given by name or by number. */
function nameOfPort({ metadata, spec }: ApiObject & Service, asked: string): string {
  if (!/^\d+$/.test(asked)) return asked
  const found = (spec?.ports ?? []).find(({ port }) => port === Number(asked))
  if (!found)
    throw serviceUnavailable(`no service port ${Number(asked)} found for service ${JSON.stringify(metadata.name)}`)
  return found.name ?? ''
}
