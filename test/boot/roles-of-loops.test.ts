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
  roles(`are enough to know who acts, and what the table has stays as it is: ${vendor}`, async () => {
    const { loops, ofTable, policy, recorded } = await loopRoles({ ...config, vendor })
    const isDefault = (account: string) =>
      ofTable.clusterRoles.some(({ name }) => name === `system:controller:${account}`)
    // A loop without rules acts as an account whose role is one of the defaults.
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

roles('are declared where the loops are, and at 1.23 those of the reference, word by word', async () => {
  const oldest = { ...config, vendor: 'kubernetes', kubernetesVersion: '1.23' }
  const { ofTable, policy, recorded, named } = await loopRoles(oldest)
  assert.equal(
    recorded.map(({ name }) => named(name)),
    recorded,
  )
  // What loops declare is written down nowhere else. (What later versions grant beyond it is; test/versions compares them all.)
  const declaredTwice = recorded.filter(({ name }) => ofTable.clusterRoles.some(role => role.name === name))
  assert.equal(declaredTwice, [])
  assert.equal(policy.clusterRoles.slice(0, ofTable.clusterRoles.length), ofTable.clusterRoles)
})

roles('of orch have what those of the reference have', async () => {
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
