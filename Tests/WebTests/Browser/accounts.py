"""Stories of people who come in, and of what they may do."""
from browser import browser, expect
from machine import rpc


def pairing(url, token):
  """A new phone scans the code."""
  with browser(url) as page:
    page.open(f"#pair={token}")
    page.one("nav.main")
    expect(token not in page.driver.current_url, "the token is no longer in the address")
    page.driver.back()
    expect(token not in page.driver.current_url, "the token is not in the history")
    page.open()
    page.one("nav.main")
    expect(page.errors() == [], page.errors())
    page.open(f"#pair={token}")
    page.shows("The code is not valid any more.")


def registration(url, token):
  """A guest follows the link of an invitation, makes every mistake, and corrects it."""
  wrong = {
    "firstName": ("Анна", "Use Latin letters."), "lastName": ("", "Enter a name."),
    "phone": ("29", "Enter a number such as +375 (29) 123-45-67."), "email": ("anna", "Enter an address such as name@example.com."),
    "password": ("secret", "Use at least one digit."),
  }
  right = {
    "firstName": "Anna", "lastName": "O'Neill", "phone": "291234567", "email": "anna@example.com", "password": "Secret1"}
  with browser(url) as page:
    page.open(f"#invite={token}")
    for name, (text, _) in wrong.items():
      page.fill(name, text)
    page.click("Register")
    for name, (_, message) in wrong.items():
      field = page.one(f"input[name={name}]")
      expect(field.get_attribute("aria-invalid") == "true", f"{name} is invalid")
      described = field.get_attribute("aria-describedby").split()[-1]
      expect(page.text(f"#{described}") == message, f"{name}: {page.text(f'#{described}')}")
      expect(page.one(f"#{described}").get_attribute("role") == "alert", f"the error of {name} is read out")
    expect(page.text("#birthDate-error") == "Enter a date in the past.", page.text("#birthDate-error"))
    page.driver.execute_script(
      "const field = document.querySelector('input[name=birthDate]'); field.value = '2015-01-01';"
      "field.dispatchEvent(new Event('input', {bubbles: true}))")
    page.shows("You must be at least 18 years old.", "#birthDate-error")
    page.driver.execute_script(
      "const field = document.querySelector('input[name=birthDate]'); field.value = '1990-02-28';"
      "field.dispatchEvent(new Event('input', {bubbles: true}))")
    for name, text in right.items():
      page.fill(name, text)
    expect(page.one("input[name=phone]").get_attribute("value") == "+375 (29) 123-45-67", "the phone number is formatted")
    for name in wrong:
      expect(page.text(f"#{name}-error") == "", f"the error of {name} is gone")
    page.click("Register")
    page.one("nav.main")
    page.open("#/profile")
    for text in ("Anna O'Neill", "February 28, 1990", "+375 (29) 123-45-67", "anna@example.com", "This browser"):
      page.shows(text, "main")
    page.click("Sign out")
    page.one("input[name=email]")
    page.fill("email", "anna@example.com")
    page.fill("password", "Secret2")
    page.click("Sign in")
    page.shows("The e-mail address or the password is wrong")
    page.fill("password", "Secret1")
    page.click("Sign in")
    page.one("nav.main")
    expect([error for error in page.errors() if "rpc" not in error] == [], page.errors())


def listener(url, token):
  """Who may only see what is played sees it, can change nothing, and learns why."""
  with browser(url) as page:
    page.open(f"#pair={token}")
    page.wait("five songs", lambda: len(page.all("main .row")) == 5)
    names = [element.accessible_name for element in page.all("main button") if element.is_displayed()]
    expect(all(name.startswith("Play ") for name in names), names)
    expect(not any(element.is_enabled() for element in page.all("main .row button.main")), "no song can be played")
    rpc("play", {"index": 1})
    page.click("Open the player")
    page.shows("Dawn", "dialog.player h2")
    page.shows("This browser may see what is played, but not change it.", "dialog.player")
    expect(not page.named("Pause").is_enabled(), "it cannot be paused")
    expect(not page.one("dialog.player input[aria-label=Volume]").is_enabled(), "the volume cannot be changed")
    page.click("Outputs")
    page.shows("Only browsers that may control everything can change this.", "dialog.sheet")
    expect(not any(button.is_enabled() for button in page.all("dialog.sheet .menu button")), "no output can be chosen")
    page.open("#/settings")
    page.shows("Only browsers that may control everything can change this.", "main")
    page.open("#/library/albums")
    page.one(".tile").click()
    page.shows("The Oscillators", "main")
    expect(not {"Play", "Add to the queue"} & {one.accessible_name for one in page.all("main header button")}, "an album cannot be played")
    page.open("#/search/library?q=dawn")
    page.shows("Before Dawn", "main")
    expect(page.errors() == [], page.errors())
