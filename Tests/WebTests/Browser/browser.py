"""A browser without a window for the stories, and the functions with which they look at the page."""
import contextlib
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

TIMEOUT = 20
SIZES = {"phone": (390, 844), "wide": (1600, 900)}


# Each question about an element is a trip to the browser: only those are asked for their name that can have it.
CANDIDATES = """
  const [selector, name] = arguments;
  return [...document.querySelectorAll(selector)].filter(one =>
    [one.getAttribute("aria-label"), one.textContent, one.title, ...[...one.labels ?? []].map(label => label.textContent)]
      .some(text => text?.includes(name)));
"""


class Browser:
  def __init__(self, driver, url):
    self.driver, self.url = driver, url

  def open(self, fragment=""):
    # The same address with another fragment would not load the page again.
    self.driver.get("about:blank")
    self.driver.get(self.url + fragment)

  def go(self, address):
    """Shows another screen of the page, as a link does."""
    self.driver.execute_script("location.hash = arguments[0]", f"/{address}")

  def size(self, name, theme="light", scale=1):
    width, height = SIZES[name]
    self.driver.execute_cdp_cmd(
      "Emulation.setDeviceMetricsOverride",
      {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": name == "phone"})
    self.driver.execute_cdp_cmd(
      "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})

  def wait(self, what, condition):
    """Waits until the condition is true, and returns its value."""
    end = time.monotonic() + TIMEOUT
    while True:
      with contextlib.suppress(StaleElementReferenceException, NoSuchElementException):
        if value := condition():
          return value
      if time.monotonic() > end:
        raise AssertionError(f"timed out: {what}\n{self.text()[:1500]}")
      time.sleep(0.02)

  def all(self, selector):
    return self.driver.find_elements(By.CSS_SELECTOR, selector)

  def one(self, selector):
    """Returns the first visible element, for which it waits."""
    return self.wait(selector, lambda: next((element for element in self.all(selector) if element.is_displayed()), None))

  def named(self, name, selector="button, a"):
    """Returns the visible control with a name, as a screen reader says it."""
    return self.wait(
      f"a control “{name}”",
      lambda: next((element for element in self.driver.execute_script(CANDIDATES, selector, name)
                    if element.is_displayed() and element.accessible_name == name), None))

  def click(self, name):
    self.wait(f"“{name}” can be clicked", lambda: self._clicked(name))

  def _clicked(self, name):
    control = self.named(name)
    # As a person would scroll, who sees the bar in front of it.
    self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", control)
    try:
      control.click()
      return True
    except WebDriverException as error:
      # A message may be in front of it for a moment, and a list may be drawn again.
      if "intercepted" in str(error) or "stale" in str(error):
        return False
      raise

  def press(self, name, key):
    """Presses a key on a control, which may be drawn again at the same time."""
    self.wait(f"{key!r} on “{name}”", lambda: self.named(name).send_keys(key) or True)

  def finger(self, kind, *point):
    """Sends an event of a finger, touchStart or touchMove with a point or touchEnd without one."""
    points = [dict(zip("xy", point))] if point else []
    self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

  def touch(self, *points):
    """Puts a finger on the first point, moves it over the others, and lifts it."""
    self.finger("touchStart", *points[0])
    for point in points[1:]:
      self.finger("touchMove", *point)
    self.finger("touchEnd")

  def centre(self, element):
    """Returns the middle of an element in the window."""
    return tuple(self.driver.execute_script(
      "const {left, top, width, height} = arguments[0].getBoundingClientRect(); return [left + width / 2, top + height / 2]", element))

  def fill(self, name, text):
    field = self.one(f"input[name={name}]")
    field.clear()
    field.send_keys(text)

  def choose(self, name, text):
    """Chooses an entry of a list."""
    Select(self.named(name, "select")).select_by_visible_text(text)

  def text(self, selector="body"):
    return self.driver.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

  def shows(self, text, selector="body"):
    self.wait(f"the page shows “{text}”", lambda: text in self.text(selector))

  def errors(self):
    """Returns the messages of the console that are no answers 401, which the page expects before somebody signs in."""
    return [entry["message"] for entry in self.driver.get_log("browser") if "401" not in entry["message"]]


def expect(condition, what):
  if not condition:
    raise AssertionError(what)


@contextlib.contextmanager
def signed_in(url, token, address="", size="phone", language="en"):
  """A browser that has scanned a code, on a screen."""
  with browser(url, size, language) as page:
    page.open(f"#pair={token}")
    page.one("nav.main")
    if address:
      page.go(address)
    yield page
    expect(page.errors() == [], page.errors())


@contextlib.contextmanager
def browser(url, size="phone", language="en"):
  with tempfile.TemporaryDirectory() as folder:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # Chromium has no sandbox for root, as whom the tests may run.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--no-first-run", "--disable-background-networking", f"--user-data-dir={folder}", f"--lang={language}"):
      options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
      shown = Browser(driver, url)
      shown.size(size)
      yield shown
    finally:
      driver.quit()
