import { defineController, definePlugin, services, Type } from 'orch/sdk'
import { startProvisioner } from './provisioner.js'

/** The provisioner as a plugin: a control loop of the server, with folders on its machine. */
export const hostPathProvisioner = definePlugin({
  name: 'host-path-provisioner',
  requires: ['storage'],
  options: Type.Object({
    hostPathRoot: Type.String({ default: '/var/lib/host-path-volumes', description: 'Folder for host-path volumes.' }),
    hostPathProvisioner: Type.String({
      default: 'example.com/host-path',
      description: 'Name of the host-path provisioner in storage classes.',
    }),
  }),
  register(to, { vendor, options }) {
    to.controller(
      defineController({
        name: 'host-path-provisioner',
        rules: [
          { verbs: ['create', 'delete', 'get', 'update'], apiGroups: [''], resources: ['persistentvolumes'] },
          { verbs: ['get'], apiGroups: [''], resources: ['persistentvolumeclaims'] },
          { verbs: ['update'], apiGroups: [''], resources: ['persistentvolumeclaims/status'] },
          { verbs: ['create', 'patch', 'update'], apiGroups: [''], resources: ['events'] },
        ],
        needs: { client: services.client, clock: services.clock, logger: services.logger },
        start: runtime =>
          startProvisioner({
            ...runtime,
            vendor,
            provisioner: options.hostPathProvisioner,
            root: options.hostPathRoot,
          }),
      }),
    )
  },
})
