import { type HealthCheckDefinition, type ServiceDefinition, type StartTask, services, type Vendor } from 'orch/sdk'
import { liveRoleIndex } from '../live-role-index.js'
import type { AuthorizationNames } from '../names.js'
import { defaultPolicy } from './default-policy.js'
import { PolicyInstaller, policyInstaller } from './policy-installer.js'

const surroundings = {
  client: services.client,
  clock: services.clock,
  logger: services.logger,
  resources: services.resources,
}
export const policyInstallerService = (
  vendor: Vendor,
  names: AuthorizationNames,
): ServiceDefinition<PolicyInstaller, typeof surroundings> => ({
  token: policyInstaller,
  needs: surroundings,
  create: given => new PolicyInstaller(defaultPolicy(vendor), names, given),
})

const needsInstaller = { installer: policyInstaller }
const needsIndex = { index: liveRoleIndex }

/** Without the default roles nobody but the server's own administrators could do anything. */
export const installDefaults: StartTask<typeof needsInstaller> = {
  name: 'default roles and bindings',
  needs: needsInstaller,
  async run({ installer }) {
    await installer.run()
    return async () => installer.stop()
  },
}

export const defaultsReconciled: HealthCheckDefinition<typeof needsInstaller> = {
  name: 'poststarthook/rbac/bootstrap-roles',
  needs: needsInstaller,
  check({ installer }) {
    if (!installer.isDone) throw new Error('the default roles and bindings are not reconciled yet')
  },
}

export const indexReady: HealthCheckDefinition<typeof needsIndex> = {
  name: 'authorization-roles',
  endpoints: ['readyz'],
  needs: needsIndex,
  check({ index }) {
    if (!index.isReady) throw new Error('roles and bindings are not read yet')
  },
}
