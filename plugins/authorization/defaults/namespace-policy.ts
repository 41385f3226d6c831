import type { Lifespan, Vendor } from 'orch/sdk'
import { bindingBuilder } from './default-bindings.js'
import { componentNames, type DefaultNamespacePolicy, defaultGroups, on, read, role } from './default-role.js'

/**
 * Roles and bindings in the system and public namespaces: leader locks, bootstrap tokens, configuration for extensions.
 */
export function namespacePolicy(vendor: Vendor): DefaultNamespacePolicy[] {
  const { coordination, core, recordEvents } = defaultGroups(vendor)
  const isThere = (lifespan: Lifespan) => vendor.level.includes(lifespan)
  const { controllerManager, scheduler } = componentNames(vendor)
  const { namespaces, users } = vendor.profile
  const { bind, user, serviceAccount } = bindingBuilder(vendor)
  const reader = 'extension-apiserver-authentication-reader'
  const controller = (name: string) => `system:controller:${name}`
  const lock = (component: string) => `system::leader-locking-${component}`
  const bindController = (name: string) => bind(controller(name), 'Role', controller(name), [serviceAccount(name)])
  return [
    {
      namespace: namespaces.system,
      roles: [
        role(reader, [on(core, 'configmaps', read, ['extension-apiserver-authentication'])]),
        ...[controllerManager, scheduler].map(component =>
          role(lock(component), [
            ...(isThere({ until: '1.34' })
              ? [on(core, 'configmaps', 'watch'), on(core, 'configmaps', 'get update', [component])]
              : []),
            ...(isThere({ since: '1.31' })
              ? [on(coordination, 'leasecandidates leases', 'create get list update watch')]
              : []),
          ]),
        ),
        role(controller('bootstrap-signer'), [on(core, 'secrets', read)]),
        role(controller('cloud-provider'), [on(core, 'configmaps', 'create get list watch')]),
        role(controller('token-cleaner'), [on(core, 'secrets', 'delete get list watch'), recordEvents]),
      ],
      bindings: [
        bind(`system::${reader}`, 'Role', reader, [user(users.controllerManager), user(users.scheduler)]),
        bind(lock(controllerManager), 'Role', lock(controllerManager), [
          user(users.controllerManager),
          serviceAccount(controllerManager),
          ...(isThere({ since: '1.31' }) ? [serviceAccount('leader-election-controller')] : []),
        ]),
        bind(lock(scheduler), 'Role', lock(scheduler), [user(users.scheduler), serviceAccount(scheduler)]),
        ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map(bindController),
      ],
    },
    {
      namespace: namespaces.public,
      roles: [
        role(controller('bootstrap-signer'), [
          on(core, 'configmaps', read),
          on(core, 'configmaps', 'update', ['cluster-info']),
          recordEvents,
        ]),
      ],
      bindings: [bindController('bootstrap-signer')],
    },
  ]
}
