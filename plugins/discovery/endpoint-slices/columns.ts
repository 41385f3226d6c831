import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { EndpointSlice } from './schema.js'

const maxShown = 3
function firstOf(all: readonly (string | number)[]): string {
  if (all.length === 0) return '<unset>'
  const shown = all.slice(0, maxShown).join(',')
  return all.length > maxShown ? `${shown} + ${all.length - maxShown} more...` : shown
}

const text = (name: string, description: string, cell: (slice: EndpointSlice) => string): Column<EndpointSlice> => ({
  name,
  type: 'string',
  description,
  cell,
})

export const columns: readonly Column<EndpointSlice>[] = [
  nameColumn as Column<EndpointSlice>,
  text('AddressType', 'Type of the addresses.', ({ addressType }) => addressType),
  text('Ports', 'Ports of every endpoint.', ({ ports }) =>
    firstOf((ports ?? []).map(({ name = '', port }) => port ?? (name || '*'))),
  ),
  text('Endpoints', 'Addresses of the endpoints.', ({ endpoints }) =>
    firstOf((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  ),
  ageColumn as Column<EndpointSlice>,
]
