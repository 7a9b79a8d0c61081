"""What models answer with where an answer has a structure."""

from pydantic import BaseModel


class Weather(BaseModel):
    city: str
    degrees: float
