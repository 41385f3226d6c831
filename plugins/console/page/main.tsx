import { render } from 'preact'
import { askForFirstView } from './model/first-view.js'
import { isSignedIn, openSession, settings } from './model/session.js'
import { Shell } from './views/shell.js'
import { SignIn } from './views/sign-in.js'

const App = () => (isSignedIn.value ? <Shell /> : <SignIn />)

async function start(): Promise<void> {
  const [response] = await Promise.all([fetch('settings'), openSession()])
  settings.value = await response.json()
  if (isSignedIn.value) await askForFirstView()
  document.title = `${settings.value.title} console`
  render(<App />, document.getElementById('app')!)
}
void start()
