import { readFile } from 'node:fs/promises'
import { pathNotFound, services } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
import { pageHeaders } from './page-files.js'

export const modulesPrefix = '/console/pages/'

/** The modules of the pages and panels of plugins. */
export const pageModules = defineRoute({
  path: `${modulesPrefix}*`,
  access: 'public',
  needs: { pages: services.consolePages },
  async handle({ path }, { pages }) {
    const page = pages.find(({ name }) => path === `${modulesPrefix}${name}.js`)
    if (!page) throw pathNotFound()
    return {
      headers: { ...pageHeaders, 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' },
      body: await readFile(
        page.module instanceof URL || page.module.startsWith('file:') ? new URL(page.module) : page.module,
      ),
    }
  },
})
