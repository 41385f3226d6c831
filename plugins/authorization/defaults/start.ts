import { defineHealthCheck, defineService, defineStartTask, services, type Vendor } from 'orch/sdk'
import { liveRoleIndex } from '../live-role-index.js'
import type { AuthorizationNames } from '../names.js'
import { warnOfMissingRoles, withDeclaredRoles } from './declared-roles.js'
import { defaultPolicy } from './default-policy.js'
import { PolicyInstaller, policyInstaller } from './policy-installer.js'

const dependencies = {
  client: services.client,
  clock: services.clock,
  logger: services.logger,
  resources: services.resources,
  controllers: services.controllers,
}
export const policyInstallerService = (vendor: Vendor, names: AuthorizationNames) =>
  defineService({
    token: policyInstaller,
    needs: dependencies,
    create({ controllers, ...given }) {
      const policy = withDeclaredRoles(defaultPolicy(vendor), controllers, vendor)
      warnOfMissingRoles(policy, controllers, vendor, given.logger)
      return new PolicyInstaller(policy, names, given)
    },
  })

const needsInstaller = { installer: policyInstaller }

/** Without the default roles nobody but the server's own administrators could do anything. */
export const installDefaults = defineStartTask({
  name: 'default roles and bindings',
  needs: needsInstaller,
  async run({ installer }) {
    await installer.run()
    return async () => installer.stop()
  },
})

export const defaultsReconciled = defineHealthCheck({
  name: 'poststarthook/rbac/bootstrap-roles',
  needs: { ...needsInstaller, index: liveRoleIndex },
  check({ installer, index }) {
    if (!index.isReady) throw new Error('roles and bindings are not read yet')
    if (!installer.isDone) throw new Error('the default roles and bindings are not reconciled yet')
  },
})
