import { services, type Vendor } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
import { modulesPrefix } from './page-modules.js'
import type { PageSettings } from './settings.js'

export const pageSettings = (vendor: Vendor) =>
  defineRoute({
    path: '/console/settings',
    access: 'public',
    needs: { pages: services.consolePages },
    handle(_request, { pages }) {
      const settings: PageSettings = {
        title: vendor.title,
        metaGroup: vendor.metaGroup,
        groupDomain: vendor.profile.groupDomain,
        groups: {
          authentication: vendor.group('authentication'),
          authorization: vendor.group('authorization'),
          certificates: vendor.group('certificates'),
          customTypes: vendor.group('apiextensions'),
          discovery: vendor.group('apidiscovery'),
          events: vendor.group('events'),
          plugins: vendor.group('plugins'),
          roles: vendor.group('rbac.authorization'),
        },
        extensionPrefix: vendor.profile.extensionPrefix,
        restartAnnotation: vendor.qualify('restartedAt', vendor.profile.cli),
        cli: vendor.profile.cli,
        systemNamespace: vendor.profile.namespaces.system,
        pages: pages.map(({ name, title, plugin, type }) => ({
          name,
          title,
          plugin,
          module: `${modulesPrefix}${name}.js`,
          ...(type ? { type } : {}),
        })),
      }
      return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(settings) }
    },
  })
