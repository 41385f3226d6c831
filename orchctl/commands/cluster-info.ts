import type { ApiObject } from 'orch/sdk'
import type { Command } from '../command.js'
import { kindNamed } from '../objects/targets.js'

interface Service extends ApiObject {
  spec?: { ports?: readonly { name?: string; port: number }[] }
}

export const clusterInfo: Command = {
  name: 'cluster-info',
  summary: 'Show the addresses of the server and its services.',
  usage: '',
  examples: [['Which server is this?', 'cluster-info']],
  flags: [],
  completes: 'nothing',
  async run({ session, terminal }) {
    const connected = await session()
    const vendor = await connected.vendor()
    const { server } = connected.connection
    const kinds = await connected.kinds()
    const title = vendor.name.charAt(0).toUpperCase() + vendor.name.slice(1)
    const lines = [[`${title} control plane`, server]]
    // The server may not have the type Service.
    if (kinds.findByName('services')) {
      const services = connected.collection<Service>(kindNamed('services', kinds), vendor.profile.namespaces.system)
      const labelSelector = `${vendor.qualify('cluster-service')}=true`
      for await (const { metadata, spec } of services.each({ labelSelector })) {
        const [port] = spec?.ports ?? []
        const name = `${metadata.name}${port?.name ? `:${port.name}` : ''}`
        const path = `/api/v1/namespaces/${metadata.namespace}/services/${name}/proxy`
        lines.push([metadata.labels?.[vendor.qualify('name')] ?? metadata.name ?? '', `${server}${path}`])
      }
    } else await connected.client.request({ method: 'GET', path: '/version', headers: {} })
    for (const [what = '', where = ''] of lines)
      terminal.write(`${terminal.paint.good(what)} is running at ${terminal.paint.doubtful(where)}\n`)
  },
}
