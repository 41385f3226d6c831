import { definePlugin, Type } from 'orch/sdk'
import { objectCounts } from './object-counts.js'
import { pageFiles } from './page-files.js'
import { pageModules } from './page-modules.js'
import { pageSettings } from './page-settings.js'
import { serverInventory } from './server-inventory.js'
import { consoleCommand } from './sign-in/console-command.js'
import { oneTimeCodes } from './sign-in/one-time-codes.js'
import { sessionAuthenticator } from './sign-in/session-authenticator.js'
import { sessionTokens } from './sign-in/session-tokens.js'
import { signInLink } from './sign-in/sign-in-link.js'
import { signInRoutes } from './sign-in/sign-in-routes.js'
import { whoAmI } from './sign-in/who-am-i.js'

/** The console: a page at `/console/` that shows the API live. */
export const consolePlugin = definePlugin({
  name: 'console',
  options: Type.Object({
    console: Type.Boolean({ default: true, description: 'Serve the console at /console/.' }),
    consoleLink: Type.Boolean({
      default: true,
      description: 'Print a one-time link at startup that signs an administrator in to the console.',
    }),
    consoleSessionDuration: Type.String({
      default: '1h',
      description: 'Lifetime of a token of the console. A page in use renews it until the session ends.',
    }),
    consoleSessionLimit: Type.String({
      default: '8h',
      description: 'Lifetime of a session of the console, after which another link is required.',
    }),
  }),
  register(to, { vendor, options }) {
    if (!options.console) return
    to.command(consoleCommand)
    to.service(oneTimeCodes, sessionTokens(options.consoleSessionDuration, options.consoleSessionLimit))
    to.authenticator(sessionAuthenticator(vendor))
    to.route(
      pageFiles,
      pageModules,
      pageSettings(vendor),
      objectCounts(vendor),
      serverInventory,
      whoAmI,
      ...signInRoutes,
    )
    if (options.consoleLink) to.startNotice(signInLink)
  },
})
