import type { OrchConfig } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bootPlugins } from '../../kernel/boot/boot-plugins.js'
import { declaredControllers } from '../../kernel/loops/declared-controllers.js'
import config from '../../orch.config.js'
import { withDeclaredRoles } from '../../plugins/authorization/defaults/declared-roles.js'
import { defaultPolicy } from '../../plugins/authorization/defaults/default-policy.js'
import type { DefaultRole } from '../../plugins/authorization/defaults/default-role.js'
import { recordedRoles } from './recorded-loop-roles.js'

const roles = suite('the roles of first-party loops')

async function loopRoles(config: OrchConfig) {
  const { registry, vendor } = await bootPlugins({ config })
  const loops = declaredControllers(registry).filter(({ usesClient }) => usesClient)
  const ofTable = defaultPolicy(vendor)
  const policy = withDeclaredRoles(ofTable, loops, vendor)
  const named = (name: string) => policy.clusterRoles.find(role => role.name === name)
  return { loops, ofTable, policy, recorded: recordedRoles(vendor), named }
}

for (const vendor of ['orch', 'kubernetes'])
  roles(`identify the acting loop, and leave the default roles unchanged: ${vendor}`, async () => {
    const { loops, ofTable, policy, recorded } = await loopRoles({ ...config, vendor })
    const isDefault = (account: string) =>
      ofTable.clusterRoles.some(({ name }) => name === `system:controller:${account}`)
    // A loop without rules uses an account with one of the default roles.
    assert.equal(
      loops.filter(({ rules, account }) => rules.length === 0 && !isDefault(account)).map(loop => loop.name),
      [],
    )
    for (const { name } of recorded)
      assert.ok(
        policy.clusterRoleBindings.some(({ roleRef }) => roleRef.name === name),
        name,
      )
    for (const { namespace, roles: inside } of ofTable.namespaces)
      assert.equal(policy.namespaces.find(each => each.namespace === namespace)?.roles, inside, namespace)
  })

roles('are declared with the loops, and identical to those of the reference at 1.23', async () => {
  const oldest = { ...config, vendor: 'kubernetes', kubernetesVersion: '1.23' }
  const { ofTable, policy, recorded, named } = await loopRoles(oldest)
  assert.equal(
    recorded.map(({ name }) => named(name)),
    recorded,
  )
  // The rules of loops are declared nowhere else. (Additions of later versions are; test/versions compares all of them.)
  const declaredTwice = recorded.filter(({ name }) => ofTable.clusterRoles.some(role => role.name === name))
  assert.equal(declaredTwice, [])
  assert.equal(policy.clusterRoles.slice(0, ofTable.clusterRoles.length), ofTable.clusterRoles)
})

roles('of orch have the rules of the reference', async () => {
  const { recorded, named } = await loopRoles({ ...config, vendor: 'orch' })
  const lines = (role: DefaultRole | undefined) =>
    (role?.rules ?? []).flatMap(({ verbs, resources = [], apiGroups = [] }) =>
      verbs.flatMap(verb => apiGroups.flatMap(group => resources.map(resource => `${verb} ${resource}.${group}`))),
    )
  for (const role of recorded) {
    const granted = new Set(lines(named(role.name)))
    assert.equal(
      lines(role).filter(line => !granted.has(line)),
      [],
      role.name,
    )
  }
})

roles.run()
